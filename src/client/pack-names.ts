/** Assigns the files of the search index to packs by their names, which are hashes, so that a changed file changes only its own pack. */

/** The number of packs by the kind of file: `fragment`, `index`. */
export type PackCounts = Readonly<Record<string, number>>;

/** Marks the requests of the packed engine. Not a URL of the network. */
export const PACK_SCHEME = 'packs:/';

/** The pack of files that every search needs: the entry file, the list of pages, the engine's WebAssembly. */
export const BASE_PACK = 'base';

/** Returns the name of the pack for a file, by its path below `pagefind/`, such as `fragment/en_036b45d.pf_fragment`. */
export function packForFile(path: string, division: PackCounts): string {
  const [, kind = BASE_PACK, hash = ''] = /^(\w+)\/\w+?_([0-9a-f]+)\./.exec(path) ?? [];
  const packs = division[kind];
  if (kind === BASE_PACK || packs === undefined) return BASE_PACK;
  return `${kind}-${Number.parseInt(hash.slice(0, 4), 16) % packs}`;
}
