/** Reads a small JSON file of a directory that another person may have made. */
import { existsSync, readFileSync } from 'node:fs';
import { tryParse } from '../model/json.ts';
import { isRegularFile } from './directory-entries.ts';
import { toSafeDirectory } from './safe-directory.ts';

/** Returns the value in a file; undefined if there is none, or if it is a link, larger than `maxBytes`, or not JSON. */
export function readJsonFile(directory: string, name: string, maxBytes: number): unknown {
  if (!existsSync(directory)) return undefined;
  const safeDir = toSafeDirectory(directory);
  if (!isRegularFile(safeDir, name) || (safeDir.stat(name)?.size ?? 0) > maxBytes) return undefined;
  return tryParse(readFileSync(safeDir.resolve(name), 'utf8'));
}
