/** Which files a record names: its pictures, recordings (api.md §2.5), texts and originals (upstream-facts, “Records”). */
import { parseDuration } from './durations.ts';
import type { ArchivalRecord } from './records.ts';

export const MEDIA_KINDS = ['thumb', 'image', 'audio', 'video', 'transcript', 'original'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];
/** What pages show and play. */
export const DEFAULT_KINDS = MEDIA_KINDS.filter((kind) => kind !== 'original');

export interface NamedFile {
  kind: MediaKind;
  /** As the record has it: it need not be an address. */
  url: string;
}

/** Roles of files that are read beside a recording (upstream-facts, “Records”). */
const TEXT_ROLES: ReadonlySet<string> = new Set(['transcript', 'gloss']);

/** Every file that one record names; a file that is two things at once stands under what it serves best. */
export function filesOf(record: ArchivalRecord): NamedFile[] {
  const { img, thumb, download } = record.links;
  const text = TEXT_ROLES.has(String(record.raw['role']));
  const named = [
    { kind: 'image', url: img },
    { kind: 'thumb', url: thumb === img ? undefined : thumb },
    { kind: text ? 'transcript' : 'original', url: download === img ? undefined : download },
    ...recordingsOf(record),
  ] satisfies Array<{ kind: MediaKind; url: string | undefined }>;
  const byUrl = new Map<string, NamedFile>();
  for (const { kind, url } of named) if (url !== undefined && !byUrl.has(url)) byUrl.set(url, { kind, url });
  return [...byUrl.values()];
}

/** In the order in which browsers play them best. */
const PLAYABLE = {
  video: ['video/mp4', 'video/webm', 'video/ogg'],
  audio: ['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/webm', 'audio/wav', 'audio/x-wav', 'audio/flac'],
} as const;

/** The recording to watch, the recording to hear, and the original; none of what may only be played from its own host. */
function recordingsOf({ ia_meta: media }: ArchivalRecord): Array<{ kind: MediaKind; url: string | undefined }> {
  if (!media || media.streamOnly) return [];
  const best = (kind: 'video' | 'audio') =>
    PLAYABLE[kind].flatMap((type) => media.files.filter(({ mimetype, url }) => mimetype === type && url))[0]?.url;
  const originals = media.files.filter(({ source }) => source === 'original');
  return [
    { kind: 'video', url: best('video') },
    { kind: 'audio', url: best('audio') },
    ...originals.map(({ url }) => ({ kind: 'original' as const, url })),
  ];
}

/** Formats whose extent is a length (api.md §2.3). */
const TIMED: ReadonlySet<string> = new Set(['vh', 'av']);

/** How long a recording is, in seconds: by its extent, else by its files; undefined for what is no recording. */
export function lengthOf({ ia_meta: media, format, raw }: ArchivalRecord): number | undefined {
  const timed = media !== undefined || (format !== undefined && TIMED.has(format));
  const extent = timed && typeof raw['extent'] === 'string' && raw['extent'].includes(':') ? raw['extent'] : undefined;
  return [extent, ...(media?.files ?? []).map(({ length }) => length)].map(parseDuration).find((length) => length !== undefined);
}
