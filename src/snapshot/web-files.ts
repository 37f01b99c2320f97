/**
 * Files that browsers play, made of recordings in the snapshot that they do not play. Their names have the SHA-256 of the
 * recording, and their own. They are derived: they are in no export, and `media --derivatives web` makes them again.
 */
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { selectTexts } from './rows.ts';
import type { Store } from './store.ts';

/** The directory of these files in a snapshot. */
export const WEB_DIRECTORY = 'derivatives';

/** A file that browsers play. Paths are in the snapshot (`path`) and on disk, sizes in bytes. */
export type WebFile = NonNullable<ReturnType<ReturnType<typeof readWebFiles>['get']>>;

const NAME = /^derivatives\/([0-9a-f]{64})-([0-9a-f]{64})\.(mp4|m4a)$/;

/** Returns these files in a snapshot by the SHA-256 of the recordings. */
export function readWebFiles(dir: string) {
  const safeDir = toSafeDirectory(dir);
  const files = safeDir.listEntries(WEB_DIRECTORY).flatMap(({ path, isFile }) => {
    const [, recording, sha256, extension] = NAME.exec(path) ?? [];
    if (!isFile || recording === undefined || sha256 === undefined) return [];
    const size = safeDir.stat(path)?.size ?? 0;
    const mimetype = extension === 'mp4' ? ('video/mp4' as const) : ('audio/mp4' as const);
    return [[recording, { path, file: safeDir.resolve(path), size, sha256, mimetype }] as const];
  });
  return new Map(files);
}

/** Deletes what was made of recordings that the snapshot has not any more. */
export function deleteObsoleteWebFiles(store: Store): void {
  const safeDir = toSafeDirectory(store.dir);
  const present = new Set(selectTexts(store.db, 'SELECT sha256 FROM blob'));
  for (const { path } of safeDir.listEntries(WEB_DIRECTORY)) if (!present.has(NAME.exec(path)?.[1] ?? '')) safeDir.delete(path);
}
