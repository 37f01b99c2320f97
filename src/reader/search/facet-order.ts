/** Decides which values of a facet the search page shows, and in which order. */
import { foldText, wordsOfFilter } from '../../formats/search/fold-text.ts';

/** A value of a facet. */
export interface FacetValue {
  value: string;
  label: string;
  /** By which it is sorted among all values. */
  sort: string;
  count: number;
  isChosen: boolean;
}

/** Values that are shown at first. */
export const FIRST_VALUES = 10;
/** Values that are shown at most: each is an element, and a filter finds the others. */
export const MAX_VALUES = 500;

/** Returns the most frequent values, up to `FIRST_VALUES`. The chosen ones come first, and are all shown. */
export function firstValues(values: readonly FacetValue[], compare: (a: string, b: string) => number): FacetValue[] {
  const sorted = sortValues(values, compare).sort((a, b) => b.count - a.count);
  const [chosen, others] = splitChosen(sorted);
  return [...chosen, ...others.slice(0, Math.max(0, FIRST_VALUES - chosen.length))];
}

/**
 * Returns all values in the order of their names, up to `MAX_VALUES`, of those that have all words of a filter; and the number
 * that match. The chosen ones come first, and are all shown.
 */
export function allValues(
  values: readonly FacetValue[],
  filter: string,
  compare: (a: string, b: string) => number,
): { shown: FacetValue[]; matching: number } {
  const words = wordsOfFilter(filter);
  const hasWords = ({ label }: FacetValue) => {
    const { folded } = foldText(label);
    return words.every((word) => folded.includes(word));
  };
  const [chosen, others] = splitChosen(sortValues(values, compare));
  const matching = words.length === 0 ? others : others.filter(hasWords);
  return { shown: [...chosen, ...matching.slice(0, MAX_VALUES)], matching: matching.length };
}

function sortValues(values: readonly FacetValue[], compare: (a: string, b: string) => number): FacetValue[] {
  return [...values].sort((a, b) => compare(a.sort, b.sort) || compare(a.label, b.label) || (a.value < b.value ? -1 : 1));
}

function splitChosen(values: readonly FacetValue[]): [chosen: FacetValue[], others: FacetValue[]] {
  return [values.filter(({ isChosen }) => isChosen), values.filter(({ isChosen }) => !isChosen)];
}
