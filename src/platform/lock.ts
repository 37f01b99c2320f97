/** Locks that the system drops with the process, however it ends: an exclusive transaction on an empty file of its own. */
import { closeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Contained, UnsafePath } from './contained.ts';

export interface Lock {
  /** Lets others have it, and removes the file unless it stays. */
  close(): void;
}

/** Takes the lock at `path`, or gives undefined where another process has it. What stands there and is no empty file is replaced. @throws the file system's error */
export function tryLock(inside: Contained, path: string, { stays = false } = {}): Lock | undefined {
  for (;;) {
    const number = emptyFile(inside, path);
    const database = new DatabaseSync(inside.at(path), { timeout: 0 });
    try {
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (/locked|busy/i.test((error as Error).message)) return undefined;
      throw error;
    }
    // Whoever had it before may have removed the file between our opening and locking it.
    if (inside.stat(path)?.ino === number) return { close: () => release(inside, path, database, stays) };
    database.close();
  }
}

function release(inside: Contained, path: string, database: DatabaseSync, stays: boolean): void {
  if (!database.isOpen) return;
  if (!stays && process.platform !== 'win32') inside.remove(path); // Windows removes no open file
  database.close();
}

/** Makes sure that there is an empty file. Returns its number in the file system. */
function emptyFile(inside: Contained, path: string): number {
  try {
    const there = inside.stat(path);
    if (there?.size === 0) return there.ino;
  } catch (error) {
    if (!(error instanceof UnsafePath)) throw error;
  }
  closeSync(inside.create(path));
  return inside.stat(path)?.ino ?? 0;
}
