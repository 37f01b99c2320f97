/** Locks that the system releases when the process ends, even if it crashes: an exclusive transaction on an empty SQLite file. */
import { closeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type SafeDirectory, UnsafePathError } from './safe-directory.ts';

/** A lock that this process holds. */
export interface Lock extends Disposable {
  /** Releases the lock, and deletes its file unless it was acquired with `keepsFile`. */
  close(): void;
}

/**
 * Acquires the lock at `path`, or returns undefined if another process holds it. A link, or a file that is not empty, is
 * replaced.
 * @throws {Error} of the file system.
 */
export function tryLock(safeDir: SafeDirectory, path: string, { keepsFile = false } = {}): Lock | undefined {
  for (;;) {
    const inode = ensureEmptyFile(safeDir, path);
    const database = new DatabaseSync(safeDir.resolve(path), { timeout: 0 });
    try {
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (/locked|busy/i.test((error as Error).message)) return undefined;
      throw error;
    }
    // The last holder may have deleted the file between our opening and our locking it.
    if (safeDir.stat(path)?.ino === inode) return createLock(() => release(safeDir, path, database, keepsFile));
    database.close();
  }
}

/** Returns a lock that `close` releases. */
export const createLock = (close: () => void): Lock => ({ close, [Symbol.dispose]: close });

function release(safeDir: SafeDirectory, path: string, database: DatabaseSync, keepsFile: boolean): void {
  if (!database.isOpen) return;
  if (!keepsFile && process.platform !== 'win32') safeDir.delete(path); // Windows cannot delete an open file
  database.close();
}

/** Creates an empty file unless there is one. Returns its inode number, or 0 if another process has created it in this moment. */
function ensureEmptyFile(safeDir: SafeDirectory, path: string): number {
  try {
    const stats = safeDir.stat(path);
    if (stats?.size === 0) return stats.ino;
    if (stats === undefined) {
      closeSync(safeDir.create(path, { isNew: true })); // never deletes one that another process has just locked
      return safeDir.stat(path)?.ino ?? 0;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 0;
    if (!(error instanceof UnsafePathError)) throw error;
  }
  closeSync(safeDir.create(path));
  return safeDir.stat(path)?.ino ?? 0;
}
