/** Which files the records name: each address once, with the record that gives it its file name. */
import { compareIds, type Model } from '../model/ids.ts';
import { type ArchivalRecord, readRecord } from '../model/records.ts';
import { bodiesOf, parseBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';

export const MEDIA_KINDS = ['thumb', 'image', 'audio', 'video', 'transcript', 'original'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];
/** What pages show and play. */
export const DEFAULT_KINDS = MEDIA_KINDS.filter((kind) => kind !== 'original');

export interface WantedFile {
  url: string;
  /** The id of the record after which the file is named. */
  owner: string;
  kind: MediaKind;
}

/** The files of every record, in the order of their owners' ids. A picture that several records share belongs to its file record, else to the first by id. */
export function wantedFiles(store: Store, kinds: ReadonlySet<MediaKind>): WantedFile[] {
  const wanted = new Map<string, WantedFile & { model: Model }>();
  for (const stored of bodiesOf(store, 'object')) {
    const record = readRecord(parseBody(stored));
    if (!record) continue;
    for (const { kind, url } of filesOf(record)) {
      if (!kinds.has(kind) || !/^https?:\/\//.test(url) || !URL.canParse(url)) continue;
      const before = wanted.get(url);
      if (!before || outranks(record, before)) wanted.set(url, { url, owner: record.id, kind, model: record.model });
    }
  }
  return [...wanted.values()].sort((a, b) => compareIds(a.owner, b.owner)).map(({ url, owner, kind }) => ({ url, owner, kind }));
}

/** Roles of files that are read beside a recording (upstream-facts, “Records”). */
const TEXT_ROLES: ReadonlySet<string> = new Set(['transcript', 'gloss']);

/** Every file that one record names. */
function filesOf(record: ArchivalRecord): Array<{ kind: MediaKind; url: string }> {
  const { img, thumb, download } = record.links;
  const text = TEXT_ROLES.has(String(record.raw['role']));
  return [
    { kind: 'image' as const, url: img },
    { kind: 'thumb' as const, url: thumb === img ? undefined : thumb },
    { kind: text ? ('transcript' as const) : ('original' as const), url: download === img ? undefined : download },
    ...recordingsOf(record),
  ].filter((file): file is { kind: MediaKind; url: string } => file.url !== undefined);
}

/** In the order in which a browser plays them best. */
const PLAYABLE: Readonly<Record<'video' | 'audio', readonly string[]>> = {
  video: ['video/mp4', 'video/webm', 'video/ogg'],
  audio: ['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/webm', 'audio/wav', 'audio/x-wav', 'audio/flac'],
};

/** The recording to watch, the recording to hear, and the original (api.md §2.5); none of what may only be played from its own host. */
function recordingsOf({ ia_meta: media }: ArchivalRecord): Array<{ kind: MediaKind; url: string | undefined }> {
  if (!media || media.streamOnly) return [];
  const best = (kind: 'video' | 'audio') =>
    PLAYABLE[kind].flatMap((type) => media.files.filter(({ mimetype, url }) => mimetype === type && url))[0];
  const originals = media.files.filter(({ source }) => source === 'original');
  return [
    { kind: 'video', url: best('video')?.url },
    { kind: 'audio', url: best('audio')?.url },
    ...originals.map(({ url }) => ({ kind: 'original' as const, url })),
  ];
}

function outranks(record: { id: string; model: Model }, before: { owner: string; model: Model }): boolean {
  if ((record.model === 'file') !== (before.model === 'file')) return record.model === 'file';
  return compareIds(record.id, before.owner) < 0;
}
