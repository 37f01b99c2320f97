/** Notes in a cache: values in JSON files, each with the key of everything that it was made from. */
import { readFileSync, rmSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';

/** Returns the value that was noted in a file under the same key; undefined if there is none, or the file is damaged. */
export function readCacheNote<Value>(file: string, key: unknown): Value | undefined {
  try {
    const note = JSON.parse(readFileSync(file, 'utf8')) as { key?: unknown; value?: Value } | null;
    return note?.key === JSON.stringify(key) ? note.value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Notes a value, which has to survive JSON, in a file instead of what was noted there before. */
export function writeCacheNote(file: string, key: unknown, value: unknown): void {
  writeFileAtomic.sync(file, JSON.stringify({ key: JSON.stringify(key), value }));
}

/** Returns the value noted in a file under the same key, and forgets it: a build that changes what it describes may fail. */
export function takeCacheNote<Value>(file: string, key: unknown): Value | undefined {
  const value = readCacheNote<Value>(file, key);
  rmSync(file, { force: true });
  return value;
}
