/**
 * How the search index is packed into a few classic scripts, for browsers that fetch nothing on file://.
 * A pack is a call `microfichePack(name, blocks)`. A block is `[first, text]`: the name of its first member, and base64 of gzip of a line of
 * JSON (`{ member: [offset, length] }`) with the members' bytes behind it. Members stand in the order of their names, so that the block of a
 * member is the last one whose first name is not greater. Which pack holds a member follows from its name alone: packs stay as they are
 * when others change.
 */

export type Block = [first: string, text: string];

/** What the packs are: for each kind of member, into how many packs it was divided. In the pack `directory`. */
export type Directory = Readonly<Record<string, number>>;

/** The pack of what every search needs: the entry file, the list of pages, the engine's WebAssembly. */
export const BASE = 'base';
export const DIRECTORY = 'directory';

/** The pack that holds the member at a path below `pagefind/`, such as `fragment/en_036b45d.pf_fragment`. */
export function packOf(path: string, directory: Directory): string {
  const [, kind = BASE, hash = ''] = /^(\w+)\/\w+?_([0-9a-f]+)\./.exec(path) ?? [];
  const packs = directory[kind];
  if (kind === BASE || packs === undefined) return BASE;
  return `${kind}-${Number.parseInt(hash.slice(0, 4), 16) % packs}`;
}

/** The block in which a member stands, if it is in the pack. */
export function blockOf(member: string, blocks: readonly Block[]): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.[0] ?? '') <= member) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
