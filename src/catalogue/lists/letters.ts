/** The headings of A–Z lists. */
import { foldLetters } from '../../model/text/fold-letters.ts';
import alphabets from './alphabets.json' with { type: 'json' };

/** The alphabets of scripts, by their codes in ISO 15924; of kana (Hrkt), the rows. Han characters have only their script. */
const SCRIPTS = Object.entries(alphabets).map(([code, letters]) => {
  const pattern = code === 'Hrkt' ? '\\p{Script=Hira}|\\p{Script=Kana}' : `\\p{Script=${code}}`;
  return { code, pattern: new RegExp(`^(?:${pattern})`, 'u'), letters: [...letters] };
});
/** Compares letters without case and marks; vowels before a Thai consonant as after it. */
const { compare } = new Intl.Collator('en', { sensitivity: 'base' });

/** The headings of an A–Z list, in order. After the letters of a script is its code, for all that is before its first letter. */
export const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0–9', ...SCRIPTS.flatMap((own) => [...own.letters, own.code]), 'Other'];
/** One of `LETTERS`: Latin includes diacritics and strokes; `Other` is for scripts without a heading, and signs. */
export type Letter = string;

/** Returns whether a heading is that of a script. */
export const isScript = (letter: Letter): boolean => letter in alphabets;

/** Returns whether lists show a heading without names. */
export const isUsual = (letter: Letter): boolean => /^(?:[A-Z]|0–9|Other)$/.test(letter);

/** Returns the heading that a sort key belongs to. */
export function letterOf(sortKey: string): Letter {
  const text = sortKey
    .slice(0, MAX_PREFIX)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/^(?:[^\p{L}\p{N}]|[ʻʼʾʿ])+/u, '');
  const [first = ''] = foldLetters(text.toLowerCase()).toUpperCase();
  if (/[A-Z]/.test(first)) return first;
  if (/\d/.test(first)) return '0–9';
  const script = SCRIPTS.find(({ pattern }) => pattern.test(text));
  return script?.letters.findLast((letter) => compare(letter, text) <= 0) ?? script?.code ?? 'Other';
}

/** Characters among which a letter or digit is looked for. */
const MAX_PREFIX = 200;
