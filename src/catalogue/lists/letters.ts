/** The headings of A–Z lists. */

/** Scripts that have a heading of their own, by their codes in ISO 15924. Hrkt: Hiragana and Katakana. */
const SCRIPTS = {
  Grek: /\p{Script=Greek}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Hebr: /\p{Script=Hebrew}/u,
  Arab: /\p{Script=Arabic}/u,
  Deva: /\p{Script=Devanagari}/u,
  Thai: /\p{Script=Thai}/u,
  Hang: /\p{Script=Hangul}/u,
  Hrkt: /\p{Script=Hiragana}|\p{Script=Katakana}/u,
  Hani: /\p{Script=Han}/u,
} as const;
/** The code of a script with a heading of its own. */
export type ScriptCode = keyof typeof SCRIPTS;
const SCRIPT_CODES = Object.keys(SCRIPTS) as ScriptCode[];

/** The headings of an A–Z list, in order. */
export const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0–9', ...SCRIPT_CODES, 'Other'] as const;
/** One of `LETTERS`: Latin includes diacritics; `0–9` is for digits, `Other` for scripts without a heading, and signs. */
export type Letter = (typeof LETTERS)[number];

/** Returns whether a heading is that of a script. */
export function isScript(letter: Letter): letter is ScriptCode {
  return letter in SCRIPTS;
}

/** Returns the heading that a sort key belongs to. */
export function letterOf(sortKey: string): Letter {
  const [first = ''] = sortKey
    .slice(0, MAX_PREFIX)
    .normalize('NFKD')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .toUpperCase();
  if (/[A-Z]/.test(first)) return first;
  if (/\d/.test(first)) return '0–9';
  return SCRIPT_CODES.find((code) => SCRIPTS[code].test(first)) ?? 'Other';
}

/** Characters among which a letter or digit is looked for. */
const MAX_PREFIX = 200;
