/** The recordings, texts and originals of the snapshot that go into the site as they are. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mediaRows, type StoredMedia } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';

/** One file as it was received. */
export interface MirroredFile {
  /** Below the snapshot, and below dist. */
  path: string;
  /** By its first bytes. */
  mimetype: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** Whether the site hands the file itself out; its text may stand on a page all the same. */
  offered: boolean;
}

/** By the address upstream. */
export type Mirrored = Readonly<Record<string, MirroredFile>>;

/** Types whose files a browser would run as a page of ours. */
const ACTIVE: ReadonlySet<string> = new Set(['text/html']);

/** The wanted files that are in the snapshot and still on disk, and which of them to put into dist (path below dist → file on disk). */
export function mirroredFiles(
  store: Store,
  wanted: (row: StoredMedia) => boolean,
): { mirrored: Mirrored; files: Map<string, string> } {
  const mirrored: Record<string, MirroredFile> = {};
  const files = new Map<string, string>();
  for (const row of mediaRows(store)) {
    const { url, state, path, mimetype, size, sha256 } = row;
    if (state !== 'stored' || path === null || mimetype === null || sha256 === null || !wanted(row)) continue;
    if (!existsSync(join(store.dir, path))) continue;
    const offered = !ACTIVE.has(mimetype);
    mirrored[url] = { path, mimetype, size: size ?? 0, sha256, offered };
    if (offered) files.set(path, join(store.dir, path));
  }
  return { mirrored, files };
}
