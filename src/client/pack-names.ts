/** Assigns the files of the search index to packs by their names, which are hashes, so that a changed file changes only its own pack. */

/** The number of packs by the kind of file: `fragment`, `index`. */
export type Division = Readonly<Record<string, number>>;

/** The pack of files that every search needs: the entry file, the list of pages, the engine's WebAssembly. */
export const BASE = 'base';

/** Returns the name of the pack for a file, by its path below `pagefind/`, such as `fragment/en_036b45d.pf_fragment`. */
export function packOf(path: string, division: Division): string {
  const [, kind = BASE, hash = ''] = /^(\w+)\/\w+?_([0-9a-f]+)\./.exec(path) ?? [];
  const packs = division[kind];
  if (kind === BASE || packs === undefined) return BASE;
  return `${kind}-${Number.parseInt(hash.slice(0, 4), 16) % packs}`;
}
