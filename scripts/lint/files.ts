/** Lists the files of the repository, in a checkout or in the directory of a test. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Directories that are not committed (see .gitignore), by their path in the repository. */
const IGNORED = /^(?:\.git|dist[^/]*|lib|content\/(?!sample$|readme$)[^/]*|(?:.*\/)?(?:node_modules|\.astro|\.microfiche))$/;

/** Whether a path belongs to a file or directory that is not committed. It need not exist. */
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
