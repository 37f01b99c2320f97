/** A recording (docs/upstream-api.md, “Media metadata”): what plays on the page, what upstream keeps, and the texts that are read beside it. */

import type { ObjectEntry } from '../../catalogue/entries.ts';
import { objectPath } from '../../catalogue/urls.ts';
import { type MirroredFile, playedOf } from '../../derivatives/mirrored.ts';
import { type Cue, readCues } from '../../model/captions.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { formatDuration, parseDuration } from '../../platform/durations.ts';
import type { ObjectContent } from '../content.ts';
import { externalUrl, type ResolveLink, sanitize } from '../sanitize.ts';
import type { Site } from '../site.ts';
import { type Download, downloadOf, mirroredAt } from './files.ts';

/** A recording that is in this copy. */
export interface Player {
  kind: 'video' | 'audio';
  path: string;
  mimetype: string;
  /** Such as `4:12`; undefined where nobody knows it. */
  length: string | undefined;
  /** The drawing of a sound. */
  wave: Wave | undefined;
}

/** How loud a sound is from moment to moment, as the path of an SVG. */
export interface Wave {
  path: string;
  width: number;
  height: number;
}

/** A file to be read beside a recording: its record, and the text where it is in this copy. */
export interface Reading {
  id: string;
  title: string;
  glossary: boolean;
  file: MirroredFile | undefined;
}

/** A reading as its page shows it: timed lines, sanitised HTML, plain text, or none of them where it can only be downloaded. */
export interface ReadingView {
  title: string;
  /** The page of the file's own record. */
  path: string;
  glossary: boolean;
  cues: Cue[];
  html: string | undefined;
  text: string | undefined;
  /** Whether the page shows only its beginning. */
  cut: boolean;
  download: Download | undefined;
}

/** Characters that a page shows of its texts at most, all together: a page stays light, and the files have it all. */
const LONGEST = 30_000;
/** The browser's own word for a type, where the first bytes say less than the record. */
const SOUND_IN_OGG = 'audio/ogg';

/** What plays: the video, else the sound. */
export function playerOf(entry: Pick<ObjectEntry, 'media' | 'length'>, site: Site): Player | undefined {
  const { kind, file } = playedOf(entry.media, site.mirrored) ?? {};
  const path = file && downloadOf(file, site)?.path;
  if (!kind || !file || path === undefined || file.size === 0) return undefined;
  const seconds = entry.length ?? file.wave?.seconds;
  return {
    kind,
    path,
    mimetype: kind === 'audio' && file.mimetype === 'video/ogg' ? SOUND_IN_OGG : file.mimetype,
    length: seconds === undefined ? undefined : formatDuration(seconds),
    wave: kind === 'audio' && file.wave ? wavePath(file.wave.peaks) : undefined,
  };
}

/** Whether the recordings of a record that were asked for have not a single byte. */
export function isEmptyRecording(
  { media }: Pick<ObjectEntry, 'media'>,
  { facts, mirrored }: Pick<Site, 'facts' | 'mirrored'>,
): boolean {
  const urls = media.filter(({ kind }) => kind !== 'transcript').map(({ url }) => url);
  const has = (url: string) => (mirroredAt(url, { mirrored })?.size ?? 0) > 0;
  return urls.some((url) => facts.emptyFiles.has(url)) && !urls.some(has);
}

/** The drawing of a sound as the path of an SVG: a bar for each peak, two units wide, up to `WAVE_HEIGHT` high around the middle. */
function wavePath(peaks: readonly number[]): Wave {
  const bars = peaks.map((peak, i) => {
    const half = Math.max(1, Math.round((peak / 100) * (WAVE_HEIGHT / 2)));
    return `M${i * 2 + 1} ${WAVE_HEIGHT / 2 - half}v${half * 2}`;
  });
  return { path: bars.join(''), width: peaks.length * 2, height: WAVE_HEIGHT };
}

const WAVE_HEIGHT = 64;

/** The transcripts and glossaries of an object: its own files; and of a segment, the glossary of its interview too. */
export function readingsOf(entry: ObjectEntry, site: Pick<Site, 'relations' | 'mirrored'>): Reading[] {
  const own = entry.model === 'file' ? [entry] : site.relations.files(entry.id);
  const above = entry.model === 'segment' && entry.parent !== undefined ? site.relations.files(entry.parent) : [];
  const readings = (files: ObjectEntry[]) =>
    files.flatMap((file): Reading[] => {
      const text = file.media.find(({ kind }) => kind === 'transcript');
      if (!text) return [];
      const glossary = file.role === 'gloss' || /glossary/i.test(file.title);
      return [{ id: file.id, title: file.title, glossary, file: mirroredAt(text.url, site) }];
    });
  return [...readings(own), ...readings(above).filter(({ glossary }) => glossary)];
}

/** Timed lines first, then other transcripts, then the glossary. */
export function readingViews(
  readings: Reading[],
  texts: ObjectContent['texts'],
  resolve: ResolveLink,
  site: Site,
): ReadingView[] {
  let room = LONGEST;
  const rank = ({ glossary, file }: Reading) => (glossary ? 2 : file?.mimetype === 'text/vtt' ? 0 : 1);
  return [...readings]
    .sort((a, b) => rank(a) - rank(b))
    .map((reading): ReadingView => {
      const { id, title, glossary, file } = reading;
      const whole = file && texts.get(file.path)?.replace(/^\ufeff/, '');
      const timed = file?.mimetype === 'text/vtt' && whole !== undefined ? readCues(whole) : [];
      const cues = timed.slice(0, fitting(timed, room));
      const cut = cues.length < timed.length || (timed.length === 0 && (whole?.length ?? 0) > room);
      const shown = timed.length > 0 ? undefined : whole?.slice(0, room);
      room -= weight(cues) + (shown?.length ?? 0);
      const isHtml = file?.mimetype === 'text/html';
      return {
        title,
        path: objectPath(id),
        glossary,
        cues,
        html: isHtml && shown !== undefined ? sanitize(shown, resolve) : undefined,
        text: isHtml ? undefined : shown,
        cut,
        download: file && downloadOf(file, site),
      };
    });
}

/** What a cue's markup weighs, in characters. */
const MARKUP = 120;

function weight(cues: Cue[]): number {
  return cues.reduce((sum, { text }) => sum + text.length + MARKUP, 0);
}

/** How many of the cues there is room for. */
function fitting(cues: Cue[], room: number): number {
  let left = room;
  for (const [i, { text }] of cues.entries()) {
    left -= text.length + MARKUP;
    if (left < 0) return i;
  }
  return cues.length;
}

export interface RecordingLine {
  format: string;
  facts: string;
  checksums: Array<[name: string, value: string]>;
  name: string;
  url: string | undefined;
  source: string;
  download: Download | undefined;
}

export interface RecordingFacts {
  original: string | undefined;
  identifier: string | undefined;
  externalId: string | undefined;
  mimetype: string | undefined;
  streamOnly: boolean;
  files: RecordingLine[];
}

/** What upstream says of a recording's files. */
export function recordingFacts({ ia_meta: media }: ArchivalRecord, site: Site): RecordingFacts | undefined {
  const { edition: locale } = site;
  const { t } = locale;
  if (!media) return undefined;
  return {
    original: media.original,
    identifier: media.id,
    externalId: media.externalId,
    mimetype: media.mimetype,
    streamOnly: media.streamOnly,
    files: media.files.map((file) => {
      const seconds = parseDuration(file.length);
      const own = file.url === undefined ? undefined : mirroredAt(file.url, site);
      const facts = [
        file.mimetype,
        seconds !== undefined && formatDuration(seconds),
        file.width && file.height ? `${file.width} × ${file.height} px` : undefined,
        file.size !== undefined && locale.bytes(file.size),
        file.bitrate && `${file.bitrate} kbit/s`,
        file.mtime !== undefined && t.recording.modified(locale.date(momentOf(file.mtime))),
      ];
      return {
        format: file.format,
        facts: facts.filter(Boolean).join(' · '),
        checksums: (['md5', 'crc32', 'sha1'] as const).flatMap((name): Array<[string, string]> => {
          const value = file[name];
          return value ? [[name.toUpperCase(), value]] : [];
        }),
        name: file.name ?? '',
        url: file.url && externalUrl(file.url),
        source: [file.source, file.original && t.recording.derivedFrom(file.original)].filter(Boolean).join(', '),
        download: own && downloadOf(own, site),
      };
    }),
  };
}

/** Seconds since 1970 as a moment; the number itself where it is no time. */
function momentOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

/** The size of the picture that moves, in pixels, where upstream says it. */
export function videoSize({ ia_meta: media }: ArchivalRecord): { width: number; height: number } | undefined {
  const file = media?.files.find(({ mimetype, width, height }) => mimetype === 'video/mp4' && width && height);
  return file?.width && file.height ? { width: file.width, height: file.height } : undefined;
}
