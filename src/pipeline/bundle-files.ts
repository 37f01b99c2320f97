/** The files of Astro's bundle of the pages. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../snapshot/directory-files.ts';

/** In the bundle: Astro's name for the code that renders pages in a build. */
export const PAGES_DIRECTORY = '.prerender';
/** In the bundle: the sizes of its files by path, because a computer that loses power may leave empty ones. */
export const SIZES_FILE = 'sizes.json';

/** Returns what the file of a bundle has to be. */
export function sizesIn(directory: string): string {
  return JSON.stringify(listFiles(join(directory, PAGES_DIRECTORY)).map(([path, file]) => [path, statSync(file).size]));
}
