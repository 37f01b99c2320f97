/** Locks that the system releases when the process ends, even if it crashes: an exclusive transaction on an empty SQLite file. */
import { closeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type SafeDirectory, undefinedIfUnsafe } from './safe-directory.ts';

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
  try {
    if (!keepsFile && process.platform !== 'win32') safeDir.delete(path); // Windows cannot delete an open file
  } finally {
    database.close();
  }
}

/**
 * Creates an empty file unless there is one. Replaces a link, or what is no regular file. Returns its inode number, or 0 if
 * another process has created it in this moment.
 */
function ensureEmptyFile(safeDir: SafeDirectory, path: string): number {
  const statIfSafe = () => undefinedIfUnsafe(() => safeDir.stat(path));
  const stats = statIfSafe();
  if (stats?.size === 0) return stats.ino;
  try {
    // Never deletes a file that another process has just created and locked.
    closeSync(safeDir.create(path, { isNew: stats === undefined }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (statIfSafe()?.size === 0) return 0;
    closeSync(safeDir.create(path));
  }
  return safeDir.stat(path)?.ino ?? 0;
}
