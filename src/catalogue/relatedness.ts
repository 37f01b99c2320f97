/** What makes records related: values in common, of which rare ones count more. */
import type { Facet } from './facets.ts';

/** Facets that make records related. */
export const RELATING_FACETS: readonly Facet[] = ['topic', 'facility', 'creator'];
/** If many records share a value, only this many before and after a record, by ID, are compared. */
export const CANDIDATES_PER_SIDE = 50;

/** Returns the weight of a value that `count` records have. It changes only at powers of two, so that few pages depend on one record more. */
export function weightOf(count: number): number {
  return 1 / Math.ceil(Math.log2(2 + count));
}
