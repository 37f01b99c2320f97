/**
 * Writes words in a form that Pagefind, which indexes them, neither changes nor splits: it would remove marks from letters, and
 * divide texts otherwise than search does. In this form (a to z and digits, with an end sign) no word begins with another one,
 * and the beginning of a word is that of exactly the words that begin with it.
 */
import { splitQueryWords } from './searchable-text.ts';
import { isStopWord } from './stop-words.ts';

/** Begins every sign that is not a letter or digit itself. */
const ESCAPE = 'q';
const END = 'q0';
/** Precedes the end of hidden words. */
const HIDDEN = 'q6';
/** What codes begin with that are of no word. */
const KEY = 'q4';
/** The code between two texts of a document, over which no phrase extends. */
export const SEPARATOR = `q5${END}`;
/** What the codes of numbers begin with. */
export const NUMBER = 'q9';
const PLAIN = /[a-pr-z0-9]/;
/** Its digits go up to p, so that no letter ends as a sign. */
const BASE = 26;

/** Returns the code of the beginning of a word: the codes of all words that begin with it begin with this code. */
export function encodePrefix(prefix: string): string {
  let code = '';
  for (const letter of prefix) {
    if (PLAIN.test(letter)) code += letter;
    else if (letter === ESCAPE) code += 'q1';
    else code += `q2${(letter.codePointAt(0) ?? 0).toString(BASE).padStart(5, '0')}`;
  }
  return code;
}

/** Returns the code of a whole word. */
export const encodeWord = (word: string): string => encodePrefix(word) + END;

/** Returns the code with which the document of a number is found in the index that Pagefind makes of a part. */
export const encodeNumber = (document: number): string => `${NUMBER}${document.toString(36)}${END}`;

/** Returns the number of which a code is; undefined for other codes. */
export function decodeNumber(code: string): number | undefined {
  return code.startsWith(NUMBER) ? Number.parseInt(code.slice(NUMBER.length, -END.length), 36) : undefined;
}

/** Whether a text is the code of a word, and not of a separator or number. */
export const isWordCode = (text: string): boolean => /^[0-9a-z]+$/.test(text) && text !== SEPARATOR && !text.startsWith(NUMBER);

/** Returns the code of a word that is only in text that nothing may show. It begins as the word itself does. */
export const encodeHidden = (word: string): string => encodePrefix(word) + HIDDEN + END;

/** Whether a code is of a whole word or key, and not of a beginning. */
export const isWholeCode = (code: string): boolean => code.endsWith(END);

/** Whether a code is of a word of text that nothing may show. */
export const isHiddenCode = (code: string): boolean => code.endsWith(HIDDEN + END);

/** Whether a code is of a key. */
export const isKeyCode = (code: string): boolean => code.startsWith(KEY);

/** Returns the code of a word that nothing may show, given that of the same word in other texts. */
export const toHiddenCode = (code: string): string => code.slice(0, -END.length) + HIDDEN + END;

/** What a key is made of: an ID, in which the order of words counts; a title; or a name, with the family name first or last. */
export type KeyKind = 'id' | 'title' | 'name';
const KEY_SIGNS: Readonly<Record<KeyKind, string>> = { id: 'i', title: 't', name: 'n' };

/**
 * Returns the code under which a document is found whose entire ID, title or name consists of the words of `text`, stop words
 * aside; undefined if it has no words. The codes of one title and one name follow each other, so that they are in the same file
 * of the index.
 */
export function encodeKey(kind: KeyKind, text: string): string | undefined {
  const all = splitQueryWords(text);
  const words = all.filter((word) => !isStopWord(word));
  const significant = words.length > 0 && kind !== 'id' ? words : all;
  if (significant.length === 0) return undefined;
  const ordered = kind === 'id' ? significant : [...significant].sort();
  return `${KEY}${hash(ordered.join(' ')).padStart(HASH_LENGTH, '0')}${KEY_SIGNS[kind]}${END}`;
}

/** Digits in base 36: 41 bits. */
const HASH_LENGTH = 8;

/** Returns a hash (FNV-1a in two halves with different offsets). Two of a million texts hardly ever have the same. */
function hash(text: string): string {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + i), 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (((high >>> 11) * 2 ** 32 + (low >>> 0)) % 36 ** HASH_LENGTH).toString(36);
}
