/** Creates the excerpt of a search result, and marks the matching words. */

/** A piece of text; `isMatch` if it matches one of the words. */
export interface TextSegment {
  text: string;
  isMatch: boolean;
}

/** Maximum length of an excerpt, in characters. */
const EXCERPT_LENGTH = 240;
/** Maximum number of letters after a word of the query: “lantern” finds “lanterns”. */
const MAX_ENDING = 3;

/** Returns the words of a query in lower case. Single letters are left out, except in scripts without spaces. */
export function splitTerms(words: string): string[] {
  return words
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((term) => term.length > 1 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(term));
}

/** Returns the part of a description around the first match, or its beginning if nothing matches. */
export function excerptAround(description: string, terms: string[]): string {
  const lower = description.toLowerCase();
  const found = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const at = found.length > 0 ? Math.min(...found) : 0;
  const begin =
    at < EXCERPT_LENGTH / 2
      ? 0
      : Math.max(0, description.lastIndexOf(' ', at - EXCERPT_LENGTH / 3) + 1 || at - EXCERPT_LENGTH / 3);
  const cut = description.slice(begin, begin + EXCERPT_LENGTH);
  const isTruncated = begin + EXCERPT_LENGTH < description.length;
  return `${begin > 0 ? '… ' : ''}${isTruncated ? cut.replace(/\s+\S*$/, '') : cut}${isTruncated ? ' …' : ''}`;
}

/** Returns the excerpt for a result: from the description, or in quotation marks from the transcript if only that matches. */
export function createExcerpt(description: string, spoken: string | undefined, terms: string[]): string {
  const has = (text: string) => terms.some((term) => text.toLowerCase().includes(term));
  return spoken !== undefined && has(spoken) && !has(description)
    ? `“${excerptAround(spoken, terms)}”`
    : excerptAround(description, terms);
}

/** Splits a text into matching pieces and the pieces between them. */
export function highlightTerms(text: string, terms: string[]): TextSegment[] {
  const patterns = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (patterns.length === 0) return [{ text, isMatch: false }];
  const any = patterns.join('|');
  return text
    .split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${any})\\p{L}{0,${MAX_ENDING}}(?![\\p{L}\\p{N}])|${any})`, 'giu'))
    .map((piece, i) => ({ text: piece, isMatch: i % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
