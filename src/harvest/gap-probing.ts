/** Gap probing: finds the numbers that an incomplete list of children skips. Each may be the ID of a record. */
import { isObjectId } from '../model/ids.ts';
import type { Resource } from '../model/resources.ts';
import type { IncompleteList } from './list-tracker.ts';

/** Maximum IDs to request for one list. */
const MAX_GAPS = 100_000;

/**
 * Returns the IDs in the numbering gaps of an incomplete children list, as speculative resources, up to the highest known number or the
 * list's total, whichever is higher. `known` are the IDs that the snapshot has.
 */
export function findGaps({ kind, name, total }: IncompleteList, known: Iterable<string>): Resource[] {
  if (kind !== 'children') return [];
  const numbers = new Set<number>();
  for (const id of known) {
    const number = id.startsWith(`${name}-`) ? id.slice(name.length + 1) : '';
    if (/^\d{1,9}$/.test(number)) numbers.add(Number(number));
  }
  const gaps: Resource[] = [];
  const highest = numbers.values().reduce((max, number) => Math.max(max, number), total);
  for (let n = 1; n <= highest && gaps.length < MAX_GAPS; n++) {
    const id = `${name}-${n}`;
    if (!numbers.has(n) && isObjectId(id)) gaps.push({ kind: 'object', name: id, speculative: true });
  }
  return gaps;
}
