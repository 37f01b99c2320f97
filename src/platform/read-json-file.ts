/** Reads a small JSON file of a directory that another person may have made. */
import { existsSync, readFileSync } from 'node:fs';
import { isRegularFile } from './directory-entries.ts';
import { undefinedIf } from './expected-errors.ts';
import { toSafeDirectory } from './safe-directory.ts';

/** Returns the value in a file; undefined if there is none, or if it is a link, larger than `maxBytes`, or not JSON. */
export function readJsonFile(directory: string, name: string, maxBytes: number): unknown {
  if (!existsSync(directory)) return undefined;
  const safeDir = toSafeDirectory(directory);
  if (!isRegularFile(safeDir, name) || (safeDir.stat(name)?.size ?? 0) > maxBytes) return undefined;
  const text = readFileSync(safeDir.resolve(name), 'utf8');
  return undefinedIf(
    (error) => error instanceof SyntaxError,
    () => JSON.parse(text) as unknown,
  );
}
