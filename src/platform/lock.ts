/** Locks that the system releases with the process, however it ends: an exclusive transaction on an empty SQLite file. */
import { closeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Contained, UnsafePath } from './contained.ts';

/** A lock that this process holds. */
export interface Lock {
  /** Releases the lock, and deletes its file unless it was created with `stays`. */
  close(): void;
}

/**
 * Acquires the lock at `path`, or returns undefined if another process holds it. A link, or a file that is not empty, is replaced.
 * @throws {Error} of the file system.
 */
export function tryLock(inside: Contained, path: string, { stays = false } = {}): Lock | undefined {
  for (;;) {
    const inode = ensureEmptyFile(inside, path);
    const database = new DatabaseSync(inside.at(path), { timeout: 0 });
    try {
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (/locked|busy/i.test((error as Error).message)) return undefined;
      throw error;
    }
    // The last holder may have deleted the file between our opening and our locking it.
    if (inside.stat(path)?.ino === inode) return { close: () => release(inside, path, database, stays) };
    database.close();
  }
}

function release(inside: Contained, path: string, database: DatabaseSync, stays: boolean): void {
  if (!database.isOpen) return;
  if (!stays && process.platform !== 'win32') inside.remove(path); // Windows cannot delete an open file
  database.close();
}

/** Creates an empty file unless there is one. Returns its inode number. */
function ensureEmptyFile(inside: Contained, path: string): number {
  try {
    const stats = inside.stat(path);
    if (stats?.size === 0) return stats.ino;
  } catch (error) {
    if (!(error instanceof UnsafePath)) throw error;
  }
  closeSync(inside.create(path));
  return inside.stat(path)?.ino ?? 0;
}
