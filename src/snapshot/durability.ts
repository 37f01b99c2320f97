/** Syncs a long run's commits to disk in the background, since waiting at each commit would delay everything else. */
import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Store } from './store.ts';

const syncFile = promisify(fdatasync);
/** Minimum milliseconds between two syncs. */
const SYNC_INTERVAL_MS = 250;

/**
 * Starts background syncing. Commits no longer wait for the disk (`synchronous = NORMAL`), and another thread syncs the
 * write-ahead log. After a power cut the database is intact, but may lack the last commits.
 */
export function syncInBackground({ db, dir }: Store) {
  const file = join(dir, 'snapshot.sqlite-wal');
  let logDescriptor: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let syncing: Promise<void> = Promise.resolve();
  let failure: unknown;
  db.exec('PRAGMA synchronous = NORMAL');

  function sync(): void {
    timer = undefined;
    // Closing this descriptor releases no lock: SQLite holds none on this file.
    if (logDescriptor === undefined && existsSync(file)) logDescriptor = openSync(file, 'r+');
    const descriptor = logDescriptor;
    if (descriptor === undefined) return;
    syncing = syncing
      .then(() => syncFile(descriptor))
      .catch((error: unknown) => {
        failure ??= error;
      });
  }

  return {
    /**
     * To be called after each commit. A commit survives the end of the process at once, and a power cut after about
     * `SYNC_INTERVAL_MS`.
     * @throws {Error} the file system's error of an earlier sync
     */
    noteCommit() {
      if (failure !== undefined) throw failure;
      timer ??= setTimeout(sync, SYNC_INTERVAL_MS);
    },
    /**
     * Waits until all commits are on disk. From then on, each commit waits for the disk again.
     * @throws {Error} the file system's error
     */
    async close() {
      clearTimeout(timer);
      sync();
      await syncing;
      if (logDescriptor !== undefined) closeSync(logDescriptor);
      if (db.isOpen) db.exec('PRAGMA synchronous = FULL');
      if (failure !== undefined) throw failure;
    },
  };
}
