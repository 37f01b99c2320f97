/**
 * Packs: many small files in a few classic scripts, for browsers that fetch nothing on file://, and for sticks on which every file takes a
 * whole cluster. A pack is a call `microfichePack(name, blocks)`. A block is `[first, text]`: the name of its first member, and base64 of gzip
 * of a line of JSON (`{ member: [offset, length] }`) with the members' bytes behind it. Members stand in the order of their names, so that the
 * block of a member is the last one whose first name is not greater.
 */

export type Block = [first: string, text: string];

/** Where the members of a set of packs begin: the first member of each pack in the order of names, and the pack's name. */
export type Ranges = ReadonlyArray<readonly [first: string, pack: string]>;

/** The pack that says how the members are divided. */
export const DIRECTORY = 'directory';

/** The block in which a member stands, if it is in the pack; -1 where it cannot be. */
export function blockOf(member: string, blocks: readonly Block[]): number {
  return lastNotGreater(member, blocks);
}

/** The pack in which a member stands, if it is in any. */
export function packIn(member: string, ranges: Ranges): string | undefined {
  return ranges[lastNotGreater(member, ranges)]?.[1];
}

function lastNotGreater(name: string, sorted: ReadonlyArray<readonly [string, string]>): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.[0] ?? '') <= name) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
