/** Assigns the files of the search index to packs by their names, so that a changed file changes only its own pack. */

import { parseFragmentName } from './fragment-names.ts';

/** How the files of a part are divided. */
export interface PackDivision {
  /** The number of packs with words. */
  index: number;
  /** The number of packs with fragments. */
  fragment: number;
  /** The number of numbered documents in such a pack: records that follow each other are often found together. */
  documents: number;
}

/** Marks the requests of the packed engine. Not a URL of the network. */
export const PACK_SCHEME = 'packs:/';

/** The pack of files that every search needs: the entry file, the list of pages, the engine's WebAssembly. */
export const BASE_PACK = 'base';

const FRAGMENT = /^fragment\/(.+)\.pf_fragment$/;
const INDEX = /^index\/\w+?_([0-9a-f]{4})/;

/** The same for a pack reader. Files that every search needs are found without the directory. */
export async function findPackForFile(path: string, readDirectory: () => Promise<PackDivision>): Promise<string> {
  return path.includes('/') ? packForFile(path, await readDirectory()) : BASE_PACK;
}

/** Returns the name of the pack for a file, by its path below `pagefind/`, such as `fragment/p0_036b45d10000.pf_fragment`. */
export function packForFile(path: string, division: PackDivision): string {
  const [, fragment] = FRAGMENT.exec(path) ?? [];
  if (fragment !== undefined) {
    const { number } = parseFragmentName(fragment);
    return `fragment-${Math.floor(number / division.documents) % division.fragment}`;
  }
  const [, hash] = INDEX.exec(path) ?? [];
  return hash === undefined ? BASE_PACK : `index-${Number.parseInt(hash, 16) % division.index}`;
}
