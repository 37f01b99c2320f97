/** Sort keys of titles: as people sort them, with numbers by value. */

import { MAX_TITLE_LENGTH } from './limits.ts';

/** Digits to which numbers are filled up. Longer ones are compared as text. */
const NUMBER_LENGTH = 20;

/**
 * Returns the text by which a title is sorted when texts are compared character by character: without marks, capitals and leading punctuation, and
 * with numbers filled up, so that “View 9” precedes “View 17”. Empty if nothing remains.
 */
export function naturalSortKey(title: string): string {
  return title
    .slice(0, MAX_TITLE_LENGTH) // normalizing takes quadratic time for marks
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/\d+/g, (number) => number.replace(/^0+(?=\d)/, '').padStart(NUMBER_LENGTH, '0'));
}
