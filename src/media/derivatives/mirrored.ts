/** The recordings, texts and originals of the snapshot that go into the site as they are, and what can be told of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Algorithm } from '../../model/fixity.ts';
import { isPlayable, type MediaKind, type NamedFile } from '../../model/media.ts';
import { baseOf, placeOf } from '../../model/places.ts';
import { mediaRows, type StoredMedia } from '../../snapshot/read.ts';
import type { Store } from '../../snapshot/store.ts';
import type { Wave } from './waves.ts';

/** One file as it was received. */
export interface MirroredFile {
  /** Below dist, where it is handed out. */
  path: string;
  /** Below the snapshot. */
  source: string;
  /** By its first bytes. */
  mimetype: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** The declared checksums that its bytes agreed with when it came. */
  proven: Algorithm[];
  /** Whether the site hands the file itself out; its text may stand on a page all the same. */
  offered: boolean;
  /** The drawing of a sound that plays. */
  wave?: Wave;
  /** A file of plain text with the words of what is no text. */
  words?: string;
}

/** By the address upstream. */
export type Mirrored = Readonly<Record<string, MirroredFile>>;

/** Types whose files a browser would run as a page of ours. */
const ACTIVE = /^text\/html$|[/+]xml$|^application\/(?:javascript|x-shockwave-flash|xhtml)/;

/** The wanted files that are in the snapshot and still on disk, and which of them to put into dist (path below dist → file on disk). */
export function mirroredFiles(
  store: Store,
  wanted: (row: StoredMedia) => boolean,
): { mirrored: Record<string, MirroredFile>; files: Map<string, string> } {
  const mirrored: Record<string, MirroredFile> = {};
  const files = new Map<string, string>();
  const rows = mediaRows(store).filter(
    (row) => row.state === 'stored' && row.path !== null && wanted(row) && existsSync(join(store.dir, row.path)),
  );
  for (const [source, sharers] of Map.groupBy(rows, ({ path }) => path as string)) {
    const path = placeInSite(source, sharers);
    for (const { url, mimetype, size, sha256, proven } of sharers) {
      const offered = !ACTIVE.test(mimetype ?? '');
      mirrored[url] = {
        path,
        source,
        mimetype: mimetype ?? 'application/octet-stream',
        size: size ?? 0,
        sha256: sha256 ?? '',
        proven: proven === null ? [] : (JSON.parse(proven) as Algorithm[]),
        offered,
      };
      if (offered) files.set(path, join(store.dir, source));
    }
  }
  return { mirrored: Object.fromEntries(Object.entries(mirrored).sort(([a], [b]) => (a < b ? -1 : 1))), files };
}

/** Where a file stands in the site: under the name that it has in the snapshot, where that is the name of a record that shows it. */
function placeInSite(source: string, sharers: StoredMedia[]): string {
  if (sharers.some(({ owner }) => source.startsWith(`media/${placeOf(owner)}.`))) return source;
  const [first] = sharers as [StoredMedia];
  return `${baseOf(first.owner, first.kind as MediaKind, first.url)}${source.slice(source.lastIndexOf('.'))}`;
}

/** What plays for a record: the video, else the sound; of files that are in the site and that browsers play. */
export function playedOf(
  media: readonly NamedFile[],
  mirrored: Mirrored,
): { kind: 'video' | 'audio'; file: MirroredFile; url: string } | undefined {
  for (const kind of ['video', 'audio'] as const) {
    for (const { kind: own, url } of media) {
      const file = Object.hasOwn(mirrored, url) ? mirrored[url] : undefined;
      const plays = own === kind || (own === 'original' && file?.mimetype.startsWith(`${kind}/`));
      if (plays && file?.offered && isPlayable(file.mimetype)) return { kind, file, url };
    }
  }
  return undefined;
}
