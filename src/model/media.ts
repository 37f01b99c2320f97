/** Which files a record names: its pictures, recordings, texts and originals (docs/upstream-api.md, “Media metadata” and “File records”). */
import { parseDuration } from '../platform/durations.ts';
import { type Declaration, declarationOf } from './fixity.ts';
import { parseId } from './ids.ts';
import type { ArchivalRecord } from './records.ts';
import { fields, number, text } from './values.ts';

export const MEDIA_KINDS = ['thumb', 'image', 'audio', 'video', 'transcript', 'original'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];
/** What pages show and play. */
export const DEFAULT_KINDS = MEDIA_KINDS.filter((kind) => kind !== 'original');

/** Which file of a video is fetched: the one that browsers play best, the smallest of those that they play, or the original. */
export const VIDEO_CHOICES = ['mp4', 'smallest', 'original'] as const;
export type VideoChoice = (typeof VIDEO_CHOICES)[number];

export interface NamedFile {
  kind: MediaKind;
  /** As the record has it: it need not be an address. */
  url: string;
}

export interface RecordFile extends NamedFile {
  /** What the record says of its bytes. */
  declared: Declaration;
  /** Whether upstream made all the others from it. */
  original: boolean;
}

/** Why a file without a single byte is not kept. */
export const EMPTY_ANSWER = 'the answer is empty';

/** Roles of files that are read beside a recording (docs/upstream-api.md, “Transcripts”). */
const TEXT_ROLES: ReadonlySet<string> = new Set(['transcript', 'gloss']);

const fileFields = fields({ size: number, md5: text, crc32: text, sha1: text, sha256: text, mimetype: text });

/** Every file that one record names; a file that is two things at once stands under what it serves best, and videos stand in the order in which browsers play them best. */
export function filesOf(record: ArchivalRecord): RecordFile[] {
  const { img, thumb, download } = record.links;
  const isText = TEXT_ROLES.has(text(record.raw['role']) ?? '');
  const nothing = declarationOf(record.id, {});
  const file = record.model === 'file' ? fileFields(record.raw) : undefined;
  // What a file record says is of the file to download; its picture is made from that.
  const own = declarationOf(record.id, file ?? {}, file && parseId(record.id).sha1Prefix);
  const named: Array<RecordFile | undefined> = [
    img === undefined ? undefined : { kind: 'image', url: img, declared: img === download ? own : nothing, original: false },
    thumb === undefined || thumb === img ? undefined : { kind: 'thumb', url: thumb, declared: nothing, original: false },
    download === undefined || download === img || isHeldBack(record)
      ? undefined
      : { kind: isText ? 'transcript' : 'original', url: download, declared: own, original: !isText },
    ...recordingsOf(record),
  ];
  const byUrl = new Map<string, RecordFile>();
  for (const one of named) if (one && !byUrl.has(one.url)) byUrl.set(one.url, one);
  return [...byUrl.values()];
}

/** The addresses of recordings that may be played from their own host only (docs/upstream-api.md, “Media metadata”): nobody's page may offer them. */
export function streamOnlyUrls({ ia_meta: media }: ArchivalRecord): string[] {
  return media?.streamOnly ? media.files.flatMap(({ url }) => url ?? []) : [];
}

function isHeldBack({ ia_meta: media, model }: ArchivalRecord): boolean {
  return media?.streamOnly === true && model !== 'file';
}

/** In the order in which browsers play them best. */
const PLAYABLE = {
  video: ['video/mp4', 'video/webm', 'video/ogg'],
  audio: ['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/webm', 'audio/wav', 'audio/x-wav', 'audio/flac'],
} as const;

/** Whether browsers play a file of this type. */
export function isPlayable(mimetype: string): boolean {
  return [...PLAYABLE.video, ...PLAYABLE.audio].some((type) => type === mimetype);
}

/** The recordings to watch, the recording to hear, and the original; none of what may only be played from its own host. */
function recordingsOf({ id, ia_meta: media }: ArchivalRecord): RecordFile[] {
  if (!media || media.streamOnly) return [];
  const named = media.files.flatMap((file) => {
    const { url, mimetype } = file;
    return url === undefined ? [] : [{ url, mimetype, declared: declarationOf(id, file), original: file.source === 'original' }];
  });
  const playable = (kind: 'video' | 'audio') =>
    PLAYABLE[kind].flatMap((type) => named.filter(({ mimetype }) => mimetype === type)).map((file) => ({ ...file, kind }));
  const originals = named.filter(({ original }) => original).map((file) => ({ ...file, kind: 'original' as const }));
  return [...playable('video'), ...playable('audio').slice(0, 1), ...originals].map(({ kind, url, declared, original }) => ({
    kind,
    url,
    declared,
    original,
  }));
}

/** Those of a record's files that are wanted: of its videos one. */
export function chooseFiles(files: RecordFile[], kinds: ReadonlySet<MediaKind>, video: VideoChoice): RecordFile[] {
  const chosen = kinds.has('video') ? chooseVideo(files, video) : undefined;
  return files.filter(
    (file) => file === chosen || (kinds.has(file.kind) && file.kind !== 'video') || (file.original && kinds.has('original')),
  );
}

function chooseVideo(files: RecordFile[], choice: VideoChoice): RecordFile | undefined {
  const videos = files.filter(({ kind }) => kind === 'video');
  const original = files.find(
    ({ kind, original, declared }) => original && (kind === 'video' || declared.mimetype?.startsWith('video/')),
  );
  if (choice === 'original' && original) return original;
  const size = ({ declared }: RecordFile) => declared.size ?? Number.POSITIVE_INFINITY;
  return choice === 'smallest' ? [...videos].sort((a, b) => Math.sign(size(a) - size(b)) || 0)[0] : videos[0];
}

/** Formats whose extent is a length (docs/upstream-api.md, “Record fields”). */
const TIMED: ReadonlySet<string> = new Set(['vh', 'av']);

/** How long a recording is, in seconds: by its extent, else by its files; undefined for what is no recording. */
export function lengthOf({ ia_meta: media, format, raw }: ArchivalRecord): number | undefined {
  const timed = media !== undefined || (format !== undefined && TIMED.has(format));
  const extent = timed && typeof raw['extent'] === 'string' && raw['extent'].includes(':') ? raw['extent'] : undefined;
  return [extent, ...(media?.files ?? []).map(({ length }) => length)].map(parseDuration).find((length) => length !== undefined);
}
