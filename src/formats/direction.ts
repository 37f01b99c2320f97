/** The direction in which texts are written. */

const LETTER = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
/** A letter of a script that is written from right to left. */
const RIGHT_TO_LEFT = new RegExp(`[${LETTER}]`, 'u');
/** What is isolated already, or words of such a script. */
const ISOLATED_OR_WORDS = new RegExp(`\\u2068[^\\u2069]*\\u2069|[${LETTER}](?:[${LETTER}\\p{M} '’-]*[${LETTER}\\p{M}])?`, 'gu');

/** Returns the `dir` attribute of a text with a `lang` attribute; undefined if it is written from left to right, as pages are. */
export function directionOf(lang: string | undefined): 'rtl' | undefined {
  if (lang === undefined) return undefined;
  const { script = '' } = new Intl.Locale(lang).maximize();
  return /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Aran)$/.test(script) ? 'rtl' : undefined;
}

/**
 * Returns a text for a sentence or a title in which nothing can be marked up: one that is written from right to left is isolated,
 * so that the punctuation around it stays in its place (Unicode Bidirectional Algorithm, FSI and PDI).
 */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** Returns a sentence in which words that are written from right to left are isolated, such as the names of authors. */
export function isolateNames(sentence: string): string {
  return sentence.replace(ISOLATED_OR_WORDS, (words) => (words.startsWith('\u2068') ? words : isolate(words)));
}
