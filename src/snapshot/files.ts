/** What stands in a folder, for the steps that read whole folders. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Every file below a folder, in the order of paths: its path with `/`, and where it stands. None where there is no such folder. */
export function filesBelow(folder: string): Array<[path: string, file: string]> {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => {
      const file = join(entry.parentPath, entry.name);
      return [relative(folder, file).split(sep).join('/'), file];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** SHA-256 of a file in hexadecimal, read in pieces. */
export async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Removes a folder (a path below `top`) that is empty now, and those above it that become so. */
export function removeEmptyFolders(top: string, folder: string): void {
  for (let path = folder; path !== '.' && existsSync(join(top, path)); path = dirname(path)) {
    if (readdirSync(join(top, path)).length > 0) return;
    rmdirSync(join(top, path));
  }
}
