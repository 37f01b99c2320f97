/** What stands in a folder that another person may have made: symbolic links and special files are named, and never followed or opened. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { type Contained, UnsafePath } from './contained.ts';

export interface Entries {
  /** Regular files by their paths, with `/`, in the order of paths; sizes in bytes. */
  files: Map<string, number>;
  /** Everything else but folders, and what it is. */
  others: Array<{ path: string; problem: string }>;
}

/** Everything below a folder but what `skip` names in the folder itself. @throws when the folder does not exist */
export function entriesBelow(folder: string, skip: ReadonlySet<string> = new Set()): Entries {
  const files: Array<[path: string, size: number]> = [];
  const others: Entries['others'] = [];
  const folders = [''];
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    for (const name of readdirSync(join(folder, below))) {
      if (below === '' && skip.has(name)) continue;
      const path = below === '' ? name : `${below}/${name}`;
      const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
      if (found?.isDirectory()) folders.push(path);
      else if (found?.isFile()) files.push([path, found.size]);
      else others.push({ path, problem: problemOf(found) });
    }
  }
  const inOrder = (a: string, b: string) => (a < b ? -1 : 1);
  return {
    files: new Map(files.sort(([a], [b]) => inOrder(a, b))),
    others: others.sort((a, b) => inOrder(a.path, b.path)),
  };
}

function problemOf(found: Stats | undefined): string {
  if (found === undefined) return 'its name is no valid UTF-8';
  return found.isSymbolicLink() ? 'it is a symbolic link' : 'it is no regular file';
}

/** Whether a regular file is at `path`, and no symbolic link in its place or above it. */
export function isFile(inside: Contained, path: string): boolean {
  try {
    return inside.stat(path) !== undefined;
  } catch (error) {
    if (error instanceof UnsafePath) return false;
    throw error;
  }
}
