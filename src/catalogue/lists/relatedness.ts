/** What makes records related: values in common, of which rare ones count more. */
import { type Facet, RELATING_FACETS } from '../../model/facets.ts';
import type { ObjectEntry } from '../entries.ts';
import type { FacetValue } from './facets.ts';

/** If many records share a value, only this many before and after a record, by ID, are compared. */
export const CANDIDATES_PER_SIDE = 50;

/** Returns the weight of a value that `count` records have, in steps of powers of two: few pages then depend on one record. */
export const weightOf = (count: number): number => 1 / Math.ceil(Math.log2(2 + count));

/** Pages show fewer: there, records of one title are one card. */
const MAX_RELATED = 12;

/** A facet value that two records have. */
export interface SharedValue {
  facet: Facet;
  value: FacetValue;
}

/** What is known of each record by its number, and the records with each value. */
export interface RelatedContext {
  numberOf: (id: string) => number | undefined;
  /** Numbers of the records with a value, sorted by rank. */
  withValue: (facet: Facet, slug: string) => Uint32Array;
  /** Codes of the models. */
  models: Uint8Array;
  /** Numbers of the parents. */
  parents: Uint32Array;
  /** Positions in the order of IDs. */
  ranks: Uint32Array;
}

/** What a record shares with another one. */
interface Bond {
  score: number;
  /** The weight of `shared`. */
  weight: number;
  shared: SharedValue;
}

/** Returns the numbers of the records that share most with a record, each with the rarest value that both have. */
export function findRelated(
  number: number,
  { facets, parent, ancestors }: Pick<ObjectEntry, 'facets' | 'parent' | 'ancestors'>,
  { numberOf, withValue, models, parents, ranks }: RelatedContext,
): Array<{ number: number; shared: SharedValue }> {
  const bonds = new Map<number, Bond>();
  for (const facet of RELATING_FACETS) {
    for (const value of facets[facet] ?? []) {
      const numbers = withValue(facet, value.slug);
      const weight = weightOf(numbers.length);
      const shared = { facet, value };
      for (const other of nearest(numbers, number, ranks)) strengthen(bonds, other, weight, shared);
    }
  }
  const above = [...(parent === undefined ? [] : [parent]), ...ancestors].map(numberOf);
  const family = new Set([number, ...above]);
  return [...bonds]
    .filter(([other]) => !family.has(other) && parents[other] !== number && models[other] === models[number])
    .sort(([a, x], [b, y]) => y.score - x.score || (ranks[a] as number) - (ranks[b] as number))
    .slice(0, MAX_RELATED)
    .map(([other, { shared }]) => ({ number: other, shared }));
}

function strengthen(bonds: Map<number, Bond>, other: number, weight: number, shared: SharedValue): void {
  const bond = bonds.get(other);
  if (!bond) {
    bonds.set(other, { score: weight, weight, shared });
    return;
  }
  bond.score += weight;
  if (weight <= bond.weight) return;
  bond.weight = weight;
  bond.shared = shared;
}

/** Returns the numbers before and after one in a list that is sorted by rank. */
function nearest(numbers: Uint32Array, own: number, ranks: Uint32Array): Uint32Array {
  if (numbers.length <= 2 * CANDIDATES_PER_SIDE) return numbers;
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranks[numbers[middle] as number] as number) < (ranks[own] as number)) low = middle + 1;
    else high = middle;
  }
  return numbers.subarray(Math.max(0, low - CANDIDATES_PER_SIDE), low + CANDIDATES_PER_SIDE);
}
