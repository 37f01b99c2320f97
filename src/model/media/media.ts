/** Lists the media files that a record names (docs/upstream-api.md, “Media metadata” and “File records”). */
import { lookup } from 'mime-types';
import { parseDuration } from '../../platform/quantities.ts';
import { charsetDeclaredIn, charsetNamed } from '../encoding/charset.ts';
import { parseId } from '../ids.ts';
import type { ArchivalRecord } from '../records.ts';
import { toPlainText } from '../text/text.ts';
import { fields, number, text } from '../values.ts';
import { type FileDeclaration, readDeclaration } from './fixity.ts';
import { FORMATS } from './formats.ts';
import type { MediaKind, VideoChoice } from './media-kinds.ts';

/** A media file that a record names. */
export interface NamedFile {
  kind: MediaKind;
  /** As the record gives it: not necessarily a URL. */
  url: string;
  /** The charset that the record declares for it, as a name for `decodeText`. */
  charset?: string;
}

/** A media file with what its record declares about it. */
export interface RecordFile extends NamedFile {
  /** Declared size, checksums and media type. */
  declared: FileDeclaration;
  /** Whether upstream made the other files from it. */
  original: boolean;
}

/** Why a file without bytes is not stored. */
export const EMPTY_FILE_CAUSE = 'the response is empty';

/** File roles of texts that accompany a recording (docs/upstream-api.md, “Transcripts”). */
const TEXT_FILE_ROLES: ReadonlySet<string> = new Set(['transcript', 'gloss']);

const fileFields = fields({ size: number, md5: text, crc32: text, sha1: text, sha256: text, mimetype: text });

/**
 * Returns every media file that a record names. A file of two kinds is listed once, under the more useful kind. Videos are sorted
 * by how well browsers play them.
 */
export function filesOfRecord(record: ArchivalRecord): RecordFile[] {
  const { img, thumb, download } = record.links;
  const isText = TEXT_FILE_ROLES.has(record.role ?? '');
  const undeclared = readDeclaration(record.id, {});
  const file = record.model === 'file' ? fileFields(record.raw) : undefined;
  const charset = record.model === 'file' ? declaredCharset(record) : undefined;
  // A file record declares the properties of the file to download. Its image is made from that file.
  const own = readDeclaration(record.id, file ?? {}, file && parseId(record.id).sha1Prefix);
  const files: Array<RecordFile | undefined> = [
    img === undefined ? undefined : { kind: 'image', url: img, declared: img === download ? own : undeclared, original: false },
    thumb === undefined || thumb === img ? undefined : { kind: 'thumb', url: thumb, declared: undeclared, original: false },
    download === undefined || download === img || (record.ia_meta?.streamOnly && record.model !== 'file')
      ? undefined
      : {
          kind: isText ? 'transcript' : 'original',
          url: download,
          declared: own,
          original: !isText,
          ...(charset && { charset }),
        },
    ...selectRecordings(record),
  ];
  const byUrl = new Map<string, RecordFile>();
  for (const file of files) if (file && !byUrl.has(file.url)) byUrl.set(file.url, file);
  return [...byUrl.values()];
}

/** Fields of a file record that are a charset, and fields in which one is named. */
const CHARSET_FIELDS = ['charset', 'encoding', 'character_encoding'];
const FIELDS_WITH_CHARSET = ['mimetype', 'tech_notes', 'label', 'description', 'title'];

/** Returns the charset that a file record declares for its file; undefined if it declares none that can be decoded. */
function declaredCharset({ raw }: ArchivalRecord): string | undefined {
  const named = CHARSET_FIELDS.map((name) => charsetNamed(text(raw[name]) ?? ''));
  const mentioned = FIELDS_WITH_CHARSET.map((name) => charsetDeclaredIn(text(raw[name]) ?? ''));
  return [...named, ...mentioned].find((charset) => charset !== undefined);
}

/** Returns the URLs of stream-only recordings (docs/upstream-api.md, “Media metadata”). No page may offer them for download. */
export function streamOnlyUrls({ ia_meta: media }: ArchivalRecord): string[] {
  return media?.streamOnly ? media.files.flatMap(({ url }) => url ?? []) : [];
}

/** Media types that browsers play, the best supported first. */
const PLAYABLE_TYPES = FORMATS.flatMap(({ plays, types }) => (plays ? types.split(' ') : []));

/** Returns whether browsers play files of a media type. */
export const isPlayable = (mimetype: string): boolean => PLAYABLE_TYPES.includes(mimetype);

/** Returns the videos, one audio file and the original of a recording; nothing if it is stream-only. */
function selectRecordings({ id, ia_meta: media }: ArchivalRecord): RecordFile[] {
  if (!media || media.streamOnly) return [];
  const withUrl = media.files.flatMap((file) => {
    const { url, mimetype } = file;
    return url === undefined
      ? []
      : [{ url, mimetype, declared: readDeclaration(id, file), original: file.source === 'original' }];
  });
  const playable = (kind: 'video' | 'audio') =>
    PLAYABLE_TYPES.filter((type) => type.startsWith(kind))
      .flatMap((type) => withUrl.filter(({ mimetype }) => mimetype === type))
      .map((file) => ({ ...file, kind }));
  const originals = withUrl.filter(({ original }) => original).map((file) => ({ ...file, kind: 'original' as const }));
  return [...playable('video'), ...playable('audio').slice(0, 1), ...originals].map(({ mimetype: _, ...file }) => file);
}

/** Returns the files of a record that are of the given kinds, with no more than one video. */
export function selectFiles(files: RecordFile[], kinds: ReadonlySet<MediaKind>, video: VideoChoice): RecordFile[] {
  const chosen = kinds.has('video') ? selectVideo(files, video) : undefined;
  return files.filter(
    (file) => file === chosen || (kinds.has(file.kind) && file.kind !== 'video') || (file.original && kinds.has('original')),
  );
}

/** The types of recordings, also those whose names do not say so. One of no known type may be one. */
const RECORDING_TYPES = /^(?:audio|video)\/|^application\/(?:mxf|vnd\.rn-realmedia)$|^$/;

/** Returns the original of a recording of which browsers play no file; undefined if there is none. */
export function selectUnplayable(files: RecordFile[]): RecordFile | undefined {
  if (files.some(({ kind }) => kind === 'video' || kind === 'audio')) return undefined;
  return files.find(({ original, declared, url }) => original && RECORDING_TYPES.test(declared.mimetype ?? (lookup(url) || '')));
}

function selectVideo(files: RecordFile[], choice: VideoChoice): RecordFile | undefined {
  const videos = files.filter(({ kind }) => kind === 'video');
  const original = files.find(
    ({ kind, original, declared }) => original && (kind === 'video' || declared.mimetype?.startsWith('video/')),
  );
  if (choice === 'original' && original) return original;
  const size = ({ declared }: RecordFile) => declared.size ?? Number.POSITIVE_INFINITY;
  return choice === 'smallest' ? [...videos].sort((a, b) => Math.sign(size(a) - size(b)) || 0)[0] : videos[0];
}

/** Formats whose extent is a duration (docs/upstream-api.md, “Record fields”). */
const TIMED_FORMATS: ReadonlySet<string> = new Set(['vh', 'av']);

/** Returns a recording's duration in seconds, from its extent or its files; undefined if the record is not a recording. */
export function recordingDuration({ ia_meta: media, format, extent: stated }: ArchivalRecord): number | undefined {
  const timed = media !== undefined || (format !== undefined && TIMED_FORMATS.has(format));
  const extent = toPlainText(stated);
  // A number alone may count the tapes.
  const duration = timed && !/^[\d.,]*$/.test(extent) ? extent : undefined;
  return [duration, ...(media?.files ?? []).map(({ length }) => length)]
    .map(parseDuration)
    .find((length) => length !== undefined);
}
