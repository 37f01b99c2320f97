/** Notes in a cache: values in JSON files, each with the key of everything that it was made from. */
import { readFileSync, rmSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import { isMissing, undefinedIf } from './expected-errors.ts';

/** Returns the value that was noted in a file under the same key; undefined if there is none, or the file is damaged. */
export function readCacheNote<Value>(file: string, key: unknown): Value | undefined {
  const isUseless = (error: unknown) => error instanceof SyntaxError || isMissing(error);
  const note: unknown = undefinedIf(isUseless, () => JSON.parse(readFileSync(file, 'utf8')));
  const { key: noted, value } = (note ?? {}) as { key?: unknown; value?: Value };
  return noted === JSON.stringify(key) ? value : undefined;
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
