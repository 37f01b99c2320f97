/** Lists a directory without following links. Node's own `readdir` with `recursive` follows links to directories. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Yields everything below a directory except directories: the path relative to `directory`, with `/` as separator, and the entry.
 * @throws {Error} if the directory does not exist.
 */
export function* walkDirectory(directory: string, below = ''): Generator<[path: string, entry: Dirent]> {
  for (const entry of readdirSync(join(directory, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walkDirectory(directory, path);
    else yield [path, entry];
  }
}
