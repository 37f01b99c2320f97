/** Guesses at what a list does not show: children are numbered, so that a gap in the numbers may be a record. */
import { isObjectId } from '../model/ids.ts';
import type { Resource } from '../model/resources.ts';
import type { Shortfall } from './lists.ts';

/** No list is probed for more ids than this. */
const MOST = 100_000;

/** The ids in the gaps of a children list's numbering, up to the highest known number or the number of its entries, whichever is higher. */
export function gapsIn({ kind, name, total }: Shortfall, known: Iterable<string>): Resource[] {
  if (kind !== 'children') return [];
  const numbers = new Set<number>();
  for (const id of known) {
    const number = id.startsWith(`${name}-`) ? id.slice(name.length + 1) : '';
    if (/^\d{1,9}$/.test(number)) numbers.add(Number(number));
  }
  const gaps: Resource[] = [];
  const highest = numbers.values().reduce((most, number) => Math.max(most, number), total);
  for (let n = 1; n <= highest && gaps.length < MOST; n++) {
    const id = `${name}-${n}`;
    if (!numbers.has(n) && isObjectId(id)) gaps.push({ kind: 'object', name: id, guess: true });
  }
  return gaps;
}
