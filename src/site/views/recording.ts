/** Recordings (docs/upstream-api.md, “Media metadata”): the player, the transcripts beside it, and upstream's description of the files. */

import type { ListedEntry } from '../../catalogue/entries.ts';
import { objectPath } from '../../catalogue/urls.ts';
import { type CopiedFile, findPlayable } from '../../derivatives/copied-files.ts';
import { type Cue, readCues } from '../../model/captions.ts';
import { safeExternalUrl } from '../../model/external-url.ts';
import { escapeHtml } from '../../model/markup.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { formatDuration, parseDuration } from '../../platform/quantities.ts';
import { type ResolveLink, toSafeHtml } from '../sanitize.ts';
import type { Site } from '../site.ts';
import { textLang } from '../text-lang.ts';
import { createDownload, type Download, findCopiedFile } from './media-files.ts';

/** A recording that a page can play. */
export interface Player {
  kind: 'video' | 'audio';
  path: string;
  mimetype: string;
  /** Such as `4:12`; undefined if unknown. */
  duration: string | undefined;
  /** The waveform of audio. */
  waveform: WaveformDrawing | undefined;
}

/** The waveform of audio, as the path of an SVG. */
export interface WaveformDrawing {
  /** The attribute `d`. */
  path: string;
  width: number;
  height: number;
}

/** The text of the transcripts and glossaries on a page, by the file's path in the site. */
export type RecordingTexts = ReadonlyMap<string, string>;

/** A transcript or glossary: its file record, and the media file if the site has it. */
export interface RecordingText {
  id: string;
  title: string;
  /** Whether it is a glossary and not a transcript. */
  isGlossary: boolean;
  file: CopiedFile | undefined;
}

/** A transcript or glossary as a page shows it: cues, sanitized HTML or plain text; none of them if it can only be downloaded. */
export interface RecordingTextView {
  title: string;
  /** The page of the file's own record. */
  path: string;
  isGlossary: boolean;
  cues: Cue[];
  html: string | undefined;
  text: string | undefined;
  /** The language of the text, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
  /** Whether the page shows only the beginning. */
  isTruncated: boolean;
  download: Download | undefined;
}

/** Characters of all transcripts and glossaries on one page. The files have the complete text. */
const MAX_TEXT_LENGTH = 30_000;
/** The media type for browsers if the record says that a file is audio and its bytes say only that it is Ogg. */
const OGG_AUDIO = 'audio/ogg';

/** Returns the player for a record: video, or else audio; undefined if nothing can be played. */
export function createPlayer(entry: Pick<ListedEntry, 'media' | 'durationSeconds'>, site: Site): Player | undefined {
  const { kind, file } = findPlayable(entry.media, site.copiedFiles) ?? {};
  const path = file && createDownload(file, site)?.path;
  if (!kind || !file || path === undefined || file.size === 0) return undefined;
  const seconds = entry.durationSeconds ?? file.waveform?.seconds;
  return {
    kind,
    path,
    mimetype: kind === 'audio' && file.mimetype === 'video/ogg' ? OGG_AUDIO : file.mimetype,
    duration: seconds === undefined ? undefined : formatDuration(seconds),
    waveform: kind === 'audio' && file.waveform ? createWaveform(file.waveform.peaks) : undefined,
  };
}

/** Whether a record's recordings are empty files upstream. */
export function isEmptyRecording(
  { media }: Pick<ListedEntry, 'media'>,
  { emptyFiles, copiedFiles }: Pick<Site, 'emptyFiles' | 'copiedFiles'>,
): boolean {
  const urls = media.filter(({ kind }) => kind !== 'transcript').map(({ url }) => url);
  const has = (url: string) => (findCopiedFile(url, { copiedFiles })?.size ?? 0) > 0;
  return urls.some((url) => emptyFiles.get(url) === true) && !urls.some(has);
}

/** Returns the waveform as an SVG path: one bar per peak, two units wide, up to `WAVEFORM_HEIGHT` high, centered vertically. */
function createWaveform(peaks: readonly number[]): WaveformDrawing {
  const bars = peaks.map((peak, i) => {
    const half = Math.max(1, Math.round((peak / 100) * (WAVEFORM_HEIGHT / 2)));
    return `M${i * 2 + 1} ${WAVEFORM_HEIGHT / 2 - half}v${half * 2}`;
  });
  return { path: bars.join(''), width: peaks.length * 2, height: WAVEFORM_HEIGHT };
}

const WAVEFORM_HEIGHT = 64;

/** Returns the transcripts and glossaries among a record's files; for a segment, also the glossary of its interview. */
export function findRecordingTexts(entry: ListedEntry, site: Pick<Site, 'relations' | 'copiedFiles'>): RecordingText[] {
  const own = entry.model === 'file' ? [entry] : [...site.relations.files(entry.id)];
  const interviewFiles = entry.model === 'segment' && entry.parent !== undefined ? [...site.relations.files(entry.parent)] : [];
  const readings = (files: ListedEntry[]) =>
    files.flatMap((file): RecordingText[] => {
      const text = file.media.find(({ kind }) => kind === 'transcript');
      if (!text) return [];
      const isGlossary = file.role === 'gloss' || /glossary/i.test(file.title);
      return [{ id: file.id, title: file.title, isGlossary, file: findCopiedFile(text.url, site) }];
    });
  return [...readings(own), ...readings(interviewFiles).filter(({ isGlossary }) => isGlossary)];
}

/** Returns transcripts and glossaries as a page shows them: first those with cues, then other transcripts, then glossaries. `texts` are by path. */
export function createRecordingTextViews(
  entry: ListedEntry,
  readings: RecordingText[],
  texts: RecordingTexts,
  resolve: ResolveLink,
  site: Site,
): RecordingTextView[] {
  let remaining = MAX_TEXT_LENGTH;
  const rank = ({ isGlossary, timed }: RecordingText & { timed: Cue[] }) => (isGlossary ? 2 : timed.length > 0 ? 0 : 1);
  return readings
    .map((reading) => {
      const { file } = reading;
      const text = file && texts.get(file.path)?.replace(/^\ufeff/, '');
      return { ...reading, text, timed: file && text !== undefined ? readCues(text, file.mimetype) : [] };
    })
    .sort((a, b) => rank(a) - rank(b))
    .map(({ id, title, isGlossary, file, text, timed }): RecordingTextView => {
      const cues = timed.slice(0, countFitting(timed, remaining));
      const isTruncated = cues.length < timed.length || (timed.length === 0 && (text?.length ?? 0) > remaining);
      const shown = timed.length > 0 ? undefined : text?.slice(0, remaining);
      remaining -= sizeOf(cues) + (shown?.length ?? 0);
      const isHtml = file?.mimetype === 'text/html';
      return {
        title,
        path: objectPath(id),
        isGlossary,
        cues,
        html: isHtml && shown !== undefined ? toSafeHtml(shown, resolve) : undefined,
        text: isHtml ? undefined : shown,
        lang: textLang(cues.length > 0 ? firstWords(cues) : shown, site, entry),
        isTruncated,
        download: file && createDownload(file, site),
      };
    });
}

/** Returns what the first cues say. */
function firstWords(cues: Cue[]): string {
  return escapeHtml(
    cues
      .slice(0, 20)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** Characters of markup per cue. */
const CUE_MARKUP = 120;

function sizeOf(cues: Cue[]): number {
  return cues.reduce((total, { text }) => total + text.length + CUE_MARKUP, 0);
}

/** Returns how many of the cues fit into a number of characters. */
function countFitting(cues: Cue[], maxCharacters: number): number {
  let left = maxCharacters;
  for (const [i, { text }] of cues.entries()) {
    left -= text.length + CUE_MARKUP;
    if (left < 0) return i;
  }
  return cues.length;
}

/** One media file of a recording, as upstream describes it. */
export interface RecordingLine {
  /** The key in `ia_meta.files`, such as `mp4`. */
  format: string;
  /** Type, length, size and so on, in one line. */
  facts: string;
  checksums: Array<[name: string, value: string]>;
  name: string;
  url: string | undefined;
  source: string;
  download: Download | undefined;
}

/** The media files of a recording, as upstream describes them. */
export interface RecordingFacts {
  original: string | undefined;
  identifier: string | undefined;
  externalId: string | undefined;
  mimetype: string | undefined;
  streamOnly: boolean;
  files: RecordingLine[];
}

/** Returns upstream's description of a recording's files; undefined if the record has none. */
export function createRecordingFacts({ ia_meta: media }: ArchivalRecord, site: Site): RecordingFacts | undefined {
  const { locale } = site;
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
      const stored = file.url === undefined ? undefined : findCopiedFile(file.url, site);
      const facts = [
        file.mimetype,
        seconds !== undefined && formatDuration(seconds),
        file.width && file.height ? `${file.width} × ${file.height} px` : undefined,
        file.size !== undefined && locale.formatBytes(file.size),
        file.bitrate && `${file.bitrate} kbit/s`,
        file.mtime !== undefined && t.recording.modified(locale.formatDate(timeOf(file.mtime))),
      ];
      return {
        format: file.format,
        facts: facts.filter(Boolean).join(' · '),
        checksums: (['md5', 'crc32', 'sha1'] as const).flatMap((name): Array<[string, string]> => {
          const value = file[name];
          return value ? [[name.toUpperCase(), value]] : [];
        }),
        name: file.name ?? '',
        url: file.url && safeExternalUrl(file.url),
        source: [file.source, file.original && t.recording.derivedFrom(file.original)].filter(Boolean).join(', '),
        download: stored && createDownload(stored, site),
      };
    }),
  };
}

/** Returns seconds since 1970 as ISO 8601; returns the number itself if it is out of range. */
function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

/** Returns the size of the video in pixels, if upstream gives it. */
export function readVideoSize({ ia_meta: media }: ArchivalRecord): { width: number; height: number } | undefined {
  const file = media?.files.find(({ mimetype, width, height }) => mimetype === 'video/mp4' && width && height);
  return file?.width && file.height ? { width: file.width, height: file.height } : undefined;
}
