/** Sorted words, each without the beginning that it shares with the one before. */

/** The length of that beginning is one digit in base 36. */
const MAX_SHARED = 35;

/** Returns that length, and the rest of a word. */
export function withoutShared(word: string, previous: string): string {
  let shared = 0;
  while (shared < MAX_SHARED && shared < word.length && word[shared] === previous[shared]) shared++;
  // A pair of surrogates is one character, and the text becomes UTF-8.
  if (/[\ud800-\udbff]/.test(word[shared - 1] ?? '')) shared--;
  return `${shared.toString(36)}${word.slice(shared)}`;
}

/** Returns the word of what `withoutShared` returned. */
export function withShared(text: string, previous: string): string {
  return previous.slice(0, Number.parseInt(text[0] ?? '0', 36)) + text.slice(1);
}
