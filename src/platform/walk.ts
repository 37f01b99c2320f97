/** Walks through a folder without following links: Node's own recursive listing (`readdir` with `recursive`) goes into every folder that a link leads to. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a folder but folders: its path below it, with `/`, and what the file system says it is. @throws when the folder does not exist */
export function* walk(folder: string, below = ''): Generator<[path: string, entry: Dirent]> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(folder, path);
    else yield [path, entry];
  }
}
