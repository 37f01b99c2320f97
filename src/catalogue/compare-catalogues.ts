/** Finds the reads whose results differ between a catalogue and an earlier one (src/catalogue/read-keys.ts). */
import { BLOCK_LENGTH, READS } from './read-keys.ts';
import { CANDIDATES_PER_SIDE, weightOf } from './relatedness.ts';

/** The numbers of the records of a catalogue. In the earlier one, they had the same. */
export interface Numbering {
  /** Whether this is the first catalogue, so that nothing is compared. */
  isNew: boolean;
  /** Returns the ID of a record; undefined if it was removed. */
  idOf(number: number): string | undefined;
  /** Whether lists with a record may differ even if they have the same numbers. */
  isListedDifferently(number: number): boolean;
}

/** Compares two lists of siblings. Adds the keys of reads that differ. `key` is one of `LISTS`. */
export function compareSiblings(
  key: string,
  before: Uint32Array,
  now: Uint32Array,
  numbering: Numbering,
  changed: Set<string>,
): void {
  if (!compareLists(key, before, now, numbering, changed)) return;
  const neighbors = (list: Uint32Array) =>
    new Map(Array.from(list, (number, i) => [number, `${list[i - 1] ?? ''} ${list[i + 1] ?? ''}`] as const));
  const earlierNeighbors = neighbors(before);
  for (const [number, beside] of neighbors(now))
    if (earlierNeighbors.get(number) !== beside) changed.add(READS.siblings(numbering.idOf(number) as string));
}

/** Compares two lists. Adds the keys of reads that differ. Returns whether anything differs. */
export function compareLists(
  key: string,
  before: Uint32Array,
  now: Uint32Array,
  { isNew, isListedDifferently }: Numbering,
  changed: Set<string>,
): boolean {
  if (isNew) return false;
  const blocks = new Set<number>();
  for (let i = 0; i < Math.max(before.length, now.length); i++)
    if (before[i] !== now[i]) blocks.add(Math.floor(i / BLOCK_LENGTH));
  if (before.length !== now.length) changed.add(READS.count(key));
  for (const block of blocks) changed.add(READS.block(key, block));
  const isChanged = blocks.size > 0 || now.some(isListedDifferently);
  if (isChanged) changed.add(READS.all(key));
  return isChanged;
}

/**
 * Adds the keys of the records for which other records with the same value may be related now: those near a change, or all if the value counts
 * otherwise.
 */
export function addRelated(before: Uint32Array, now: Uint32Array, numbering: Numbering, changed: Set<string>): void {
  for (const number of affectedByChange(before, now, numbering)) {
    const id = numbering.idOf(number);
    if (id !== undefined) changed.add(READS.related(id));
  }
}

function affectedByChange(before: Uint32Array, now: Uint32Array, { isListedDifferently }: Numbering): Iterable<number> {
  const isShort = Math.min(before.length, now.length) <= 2 * CANDIDATES_PER_SIDE;
  if (isShort || weightOf(before.length) !== weightOf(now.length)) return now;
  const affected = new Set<number>();
  const addNear = (list: Uint32Array, at: number) => {
    for (const number of list.subarray(Math.max(0, at - CANDIDATES_PER_SIDE), at + CANDIDATES_PER_SIDE + 1)) affected.add(number);
  };
  const [had, has] = [new Set(before), new Set(now)];
  for (const [at, number] of now.entries()) if (!had.has(number) || isListedDifferently(number)) addNear(now, at);
  for (const [at, number] of before.entries()) if (!has.has(number)) addNear(before, at);
  return affected;
}
