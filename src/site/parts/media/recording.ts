/** Recordings (docs/upstream-api.md, “Media metadata”): the player, and upstream's description of the files. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { findPlayable } from '../../../derivatives/copied-files.ts';
import { safeExternalUrl } from '../../../model/external-url.ts';
import type { ArchivalRecord } from '../../../model/records.ts';
import { formatDuration, parseDuration } from '../../../platform/quantities.ts';
import type { Site } from '../../site.ts';
import { createDownload } from './media-files.ts';

/** A recording that a page can play. */
export type Player = NonNullable<ReturnType<typeof createPlayer>>;

/** The media type for browsers if the record says that a file is audio and its bytes say only that it is Ogg. */
const OGG_AUDIO = 'audio/ogg';

/** Returns the player for a record: video, or else audio; undefined if nothing can be played. */
export function createPlayer(entry: Pick<ListedEntry, 'media' | 'durationSeconds'>, site: Site) {
  const { kind, file } = findPlayable(entry.media, site.copiedFiles) ?? {};
  const path = file && createDownload(file, site)?.path;
  if (!kind || !file || path === undefined || file.size === 0) return undefined;
  const seconds = entry.durationSeconds ?? file.waveform?.seconds;
  return {
    kind,
    path,
    mimetype: kind === 'audio' && file.mimetype === 'video/ogg' ? OGG_AUDIO : file.mimetype,
    /** Such as `4:12`; undefined if unknown. */
    duration: seconds === undefined ? undefined : formatDuration(seconds),
    /** The waveform of audio. */
    waveform: kind === 'audio' && file.waveform ? createWaveform(file.waveform.peaks) : undefined,
  };
}

/** Whether a record's recordings are empty files upstream. */
export function isEmptyRecording({ media }: ListedEntry, { emptyFiles, copiedFiles }: Site): boolean {
  const urls = media.filter(({ kind }) => kind !== 'transcript').map(({ url }) => url);
  const has = (url: string) => (copiedFiles.get(url)?.size ?? 0) > 0;
  return urls.some((url) => emptyFiles.get(url) === true) && !urls.some(has);
}

/** Returns the waveform as an SVG path: one bar per peak, two units wide, up to `WAVEFORM_HEIGHT` high, centered vertically. */
function createWaveform(peaks: readonly number[]) {
  const bars = peaks.map((peak, i) => {
    const half = Math.max(1, Math.round((peak / 100) * (WAVEFORM_HEIGHT / 2)));
    return `M${i * 2 + 1} ${WAVEFORM_HEIGHT / 2 - half}v${half * 2}`;
  });
  return { path: bars.join(''), width: peaks.length * 2, height: WAVEFORM_HEIGHT };
}

const WAVEFORM_HEIGHT = 64;

/** Returns upstream's description of a recording's files; undefined if the record has none. */
export function createRecordingFacts({ ia_meta: media }: ArchivalRecord, site: Site) {
  const { locale } = site;
  const { t } = locale;
  if (!media) return undefined;
  return {
    ...media,
    files: media.files.map((file) => {
      const seconds = parseDuration(file.length);
      const stored = file.url === undefined ? undefined : site.copiedFiles.get(file.url);
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
