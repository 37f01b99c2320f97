/** What stands in a folder, for the steps that read whole folders. */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Every file below a folder, in the order of paths: its path with `/`, and where it stands. */
export function filesBelow(folder: string): Array<[path: string, file: string]> {
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
