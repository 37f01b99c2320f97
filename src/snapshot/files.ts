/** What stands in a folder, for the steps that read whole folders. */
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

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
