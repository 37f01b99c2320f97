/** Keeps texts that are written from right to left apart from the punctuation of the sentences that they are in. */
import { stripIllegible } from './legible.ts';
import { escapeText } from './markup.ts';

const LETTER = '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
/** A letter of a script that is written from right to left. */
export const RIGHT_TO_LEFT = new RegExp(`[${LETTER}]`, 'u');
/** What is isolated already, or words of such a script. */
const ISOLATED_OR_WORDS = new RegExp(`\\u2068[^\\u2069]*\\u2069|[${LETTER}](?:[${LETTER}\\p{M} '’-]*[${LETTER}\\p{M}])?؟?`, 'gu');

/**
 * Returns a text for a sentence or a title in which nothing can be marked up: one that is written from right to left is isolated,
 * so that the punctuation around it stays in its place (Unicode Bidirectional Algorithm, FSI and PDI).
 */
export function isolate(text: string): string {
  const shown = stripIllegible(text); // the archive's own isolates may have no end
  return RIGHT_TO_LEFT.test(shown) ? `\u2068${shown}\u2069` : shown;
}

/** Returns an isolated text as HTML between tags. Pages have none of the characters themselves (legible.ts). */
export const isolatesToHtml = (text: string): string => escapeText(text).replace(/\u2068([^\u2069]*)\u2069/g, '<bdi>$1</bdi>');

/** The same for an element that has no markup, such as a title. */
export const isolatesToEntities = (text: string): string =>
  escapeText(text).replace(/[\u2068\u2069]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The same with marks at both ends (RLM), which remain in the text of a page: “(JPG, 184 كيلوبايت)”, and dates after a name. */
export const encloseInMarks = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u200f${text}\u200f` : text);

/** Returns a sentence in which words that are written from right to left are isolated, such as the names of authors. */
export function isolateNames(sentence: string): string {
  return sentence.replace(ISOLATED_OR_WORDS, (words) => (words.startsWith('\u2068') ? words : isolate(words)));
}
