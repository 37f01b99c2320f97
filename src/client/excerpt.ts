/** Our own excerpt of a description, with the words marked. */

/** A piece of text; `hit` where it is one of the words. */
export interface Piece {
  text: string;
  hit: boolean;
}

const LENGTH = 240;
/** A word may go on for so many letters where a reader's word ends: “lantern” finds “lanterns”. */
const ENDING = 3;

/** The words that a reader typed, in lower case. Characters of scripts without spaces count one by one; of others, single letters do not count. */
export function termsOf(words: string): string[] {
  return words
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((term) => term.length > 1 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(term));
}

/** The part of a description that holds the first of the terms, or its beginning. */
export function around(description: string, terms: string[]): string {
  const lower = description.toLowerCase();
  const found = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const at = found.length > 0 ? Math.min(...found) : 0;
  const begin = at < LENGTH / 2 ? 0 : Math.max(0, description.lastIndexOf(' ', at - LENGTH / 3) + 1 || at - LENGTH / 3);
  const cut = description.slice(begin, begin + LENGTH);
  const goesOn = begin + LENGTH < description.length;
  return `${begin > 0 ? '… ' : ''}${goesOn ? cut.replace(/\s+\S*$/, '') : cut}${goesOn ? ' …' : ''}`;
}

/** What a result shows of its record: of the description, or where only what was said in it has one of the terms, of that. */
export function excerptOf(description: string, spoken: string | undefined, terms: string[]): string {
  const has = (text: string) => terms.some((term) => text.toLowerCase().includes(term));
  return spoken !== undefined && has(spoken) && !has(description) ? `“${around(spoken, terms)}”` : around(description, terms);
}

/** A text cut into pieces, those that are terms told apart. */
export function marked(text: string, terms: string[]): Piece[] {
  const patterns = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (patterns.length === 0) return [{ text, hit: false }];
  const any = patterns.join('|');
  return text
    .split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${any})\\p{L}{0,${ENDING}}(?![\\p{L}\\p{N}])|${any})`, 'giu'))
    .map((piece, i) => ({ text: piece, hit: i % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
