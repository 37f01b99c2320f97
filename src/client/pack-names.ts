/** Which pack holds a file of the search index: it follows from the file's name, which is a hash, so that packs stay as they are when others change. */

/** Into how many packs each kind of file is divided: `fragment`, `index`. */
export type Division = Readonly<Record<string, number>>;

/** The pack of what every search needs: the entry file, the list of pages, the engine's WebAssembly. */
export const BASE = 'base';

/** The pack that holds the file at a path below `pagefind/`, such as `fragment/en_036b45d.pf_fragment`. */
export function packOf(path: string, division: Division): string {
  const [, kind = BASE, hash = ''] = /^(\w+)\/\w+?_([0-9a-f]+)\./.exec(path) ?? [];
  const packs = division[kind];
  if (kind === BASE || packs === undefined) return BASE;
  return `${kind}-${Number.parseInt(hash.slice(0, 4), 16) % packs}`;
}
