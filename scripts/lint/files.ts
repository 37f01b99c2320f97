/** Lists the files of the repository, so that the rules see the same ones in a checkout and in a test's directory. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Directories that are not committed (see .gitignore), by their path from the top. */
const IGNORED = /^(?:\.git|\.astro|\.microfiche|dist[^/]*|content\/(?!sample$|readme$)[^/]*|(?:.*\/)?node_modules)$/;

/** Whether a path is that of a file or directory that is not committed, whether it exists or not. */
export function isIgnored(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.some((_, i) => IGNORED.test(parts.slice(0, i + 1).join('/')));
}

/** The paths of all files below `root`, with slashes, sorted. Symbolic links are not followed. */
export function listFiles(root: string): string[] {
  const files: string[] = [];
  const addFrom = (directory: string) => {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (IGNORED.test(path)) continue;
      if (entry.isDirectory()) addFrom(path);
      else files.push(path);
    }
  };
  addFrom('');
  return files.sort();
}
