/** Makes what a long run commits durable in the background: to wait for the disk at each commit would hold up everything else. */
import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from './store.ts';

export interface Durability {
  /** Says that something was committed: it survives the process from then on, and a power cut within `SYNC_INTERVAL_MS` or so. */
  noteCommit(): void;
  /** Waits until all of it is on the disk; commits wait for the disk again from then on. @throws the file system's error */
  close(): Promise<void>;
}

/** Milliseconds between two syncs at least. */
const SYNC_INTERVAL_MS = 250;

/**
 * From now on commits are written and not waited for (`synchronous = NORMAL`: a power cut leaves a sound database that lacks the last
 * moments); the write-ahead log is synced from another thread instead.
 */
export function syncInBackground({ db, dir }: Store): Durability {
  const file = join(dir, 'snapshot.sqlite-wal');
  let log: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let syncing: Promise<void> = Promise.resolve();
  let failure: unknown;
  db.exec('PRAGMA synchronous = NORMAL');

  function sync(): void {
    timer = undefined;
    if (log === undefined && existsSync(file)) log = openSync(file, 'r+'); // SQLite holds no locks on this file that closing it would drop
    const descriptor = log;
    if (descriptor === undefined) return;
    syncing = syncing.then(
      () =>
        new Promise((resolve) => {
          fdatasync(descriptor, (error) => {
            failure ??= error ?? undefined;
            resolve();
          });
        }),
    );
  }

  return {
    noteCommit() {
      if (failure !== undefined) throw failure;
      timer ??= setTimeout(sync, SYNC_INTERVAL_MS);
    },
    async close() {
      clearTimeout(timer);
      sync();
      await syncing;
      if (log !== undefined) closeSync(log);
      if (db.isOpen) db.exec('PRAGMA synchronous = FULL');
      if (failure !== undefined) throw failure;
    },
  };
}
