/**
 * The format of packs: many small files in a few classic scripts, for browsers that cannot fetch on file://, and for USB drives,
 * where every file takes at least one cluster. A pack is a call `microfichePack(name, blocks)`. A block is `[first, text]`: the
 * name of its first entry, and base64 of gzip of one line of JSON (`{ entry: [offset, length] }`) followed by the bytes of the
 * entries. Entries are sorted by name, so the block of an entry is the last one whose first name is not greater.
 */

/** A block of a pack. */
export type Block = [first: string, text: string];

/** The first entry of each pack of a set, and the pack's name; sorted by entry. */
export type Ranges = ReadonlyArray<readonly [first: string, pack: string]>;

/** Name of the pack that lists how entries are distributed over the other packs of a set. */
export const DIRECTORY = 'directory';

/** Returns the position of the block (or pack) that an entry is in, if any contains it; -1 if none can contain it. */
export function findBlock(entry: string, sorted: ReadonlyArray<readonly [first: string, text: string]>): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.[0] ?? '') <= entry) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the name of the pack that an entry is in, if any pack contains it. */
export const findPack = (entry: string, ranges: Ranges): string | undefined => ranges[findBlock(entry, ranges)]?.[1];

/** The same for a pack reader. */
export async function findPackIn(entry: string, readDirectory: () => Promise<Ranges>): Promise<string | undefined> {
  return findPack(entry, await readDirectory());
}
