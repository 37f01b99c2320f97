/** Recognizes East Asian text in charsets with one or two bytes per character, by what the decoded characters are. */
import { attempt } from '../../platform/expected-errors.ts';

/** East Asian charsets with one or two bytes per character. */
export const DOUBLE_BYTE = ['shift_jis', 'euc-jp', 'euc-kr', 'big5', 'gb18030'] as const;
/** One of `DOUBLE_BYTE`. */
export type DoubleByte = (typeof DOUBLE_BYTE)[number];

/** The languages of each charset: BCP 47. */
const LANGUAGES: Readonly<Record<DoubleByte, readonly string[]>> = {
  shift_jis: ['ja', 'ain'],
  'euc-jp': ['ja', 'ain'],
  'euc-kr': ['ko'],
  big5: ['zh', 'yue', 'nan', 'hak'],
  gb18030: ['zh', 'yue', 'nan', 'hak'],
};
/** Charsets whose letters are Latin, in which letters beyond ASCII are rarely next to each other. */
const LATIN_CHARSET = /^(?:windows-125[02478]|iso-8859-(?:2|3|4|9|1[03-6])|macintosh)$/;
const UNICODE = /^(?:utf-|x-user-defined)/;
/** The escape sequences that begin Japanese text in ISO-2022-JP. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const ISO_2022_JP = /\x1b(?:\$[@B]|\([IJ])/;
/** Syllables that Korean text of some length contains often, and characters that Chinese does. */
const COMMON_KOREAN = /[이다는을를의에가고한하사도로기인은]/gu;
const COMMON_CHINESE = /[的了是我们們这這他你]/gu;
/** Characters of a text whose language its common characters show, and the share of those. */
const SURE = { length: 20, korean: 0.15, chinese: 0.04 };
/** Kana among the characters beyond ASCII of Japanese prose, at least. */
const PROSE_KANA = 0.3;
/** Characters in a row, at least, and different bytes in them, that are not by chance like East Asian text. */
const RUN = { length: 3, bytes: 5 };

/** Returns text, or undefined if bytes are invalid. A last character may be cut off. */
export function decodeStrictly(bytes: Uint8Array, charset: string): string | undefined {
  return attempt(() => new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true }));
}

/** Whether all bytes are ASCII, with the escape sequences of ISO-2022-JP. */
export function isIso2022Jp(bytes: Uint8Array): boolean {
  return !bytes.some((byte) => byte > 0x7f) && ISO_2022_JP.test(Buffer.from(bytes).toString('latin1'));
}

/** Returns from 0 to 1 how much a text is like the language of a charset; undefined if it is like no East Asian language. */
export function likenessTo(charset: DoubleByte, text: string): number | undefined {
  const total = countMatches(text, /[^\0-\x7f]/gu);
  const kana = countMatches(text, /[\u3041-\u30ff]/gu);
  const hangul = countMatches(text, /[\uac00-\ud7a3]/gu);
  const han = countMatches(text, /\p{Script=Han}/gu);
  // Halfwidth katakana, private use, symbols and letters of other scripts are what a wrong charset gives.
  const other = total - kana - hangul - han - countMatches(text, /[\u2010-\u203b\u3000-\u3020\uff01-\uff5e\u00b7]/gu);
  // Latin letters with a diacritic look like an ideograph between Latin letters.
  const betweenLetters =
    countMatches(text, /(?<=[a-z])[^\0-\x7f](?=[a-z])/giu) + countMatches(text, /[a-z][^\0-\x7f](?![^\0-\x7f])/giu) / 2;
  if (total === 0 || other > total * 0.2 || betweenLetters > total * 0.2) return undefined;
  if (charset === 'euc-kr') return hangul > 9 * (han + kana) ? 1 : undefined;
  if (charset === 'shift_jis' || charset === 'euc-jp') return kana / total;
  return kana > total * 0.2 ? undefined : 0;
}

/**
 * Returns how likely a text is in the language of a charset, compared with others that the same bytes may be: 2 if its common
 * characters show it, 1 if `languages`, those of the record, suggest it, else 0.
 */
export function evidenceFor(charset: DoubleByte, text: string, languages: readonly string[]): number {
  const total = countMatches(text, /[^\0-\x7f]/gu);
  const has = (pattern: RegExp, share: number) => total >= SURE.length && countMatches(text, pattern) >= total * share;
  if (charset === 'euc-kr' && has(COMMON_KOREAN, SURE.korean)) return 2;
  if (LANGUAGES[charset].includes('zh') && has(COMMON_CHINESE, SURE.chinese)) return 2;
  if (LANGUAGES[charset].includes('ja') && countMatches(text, /[\u3041-\u30ff]{2}/gu) > 0 && kanaShare(text) >= PROSE_KANA)
    return 2;
  return languages.some((tag) => LANGUAGES[charset].includes(tag.split('-')[0] ?? tag)) ? 1 : 0;
}

/** Returns whether bytes are East Asian text in another charset than `name`, which can decode them too, but gives no text. */
export function isOtherEastAsian(bytes: Uint8Array, name: string): boolean {
  if (isIso2022Jp(bytes)) return name !== 'iso-2022-jp';
  if (UNICODE.test(name) || name === 'gb18030' || name === 'gbk' || name === 'big5' || name === 'euc-kr') return false;
  const own = isDoubleByte(name) ? likenessTo(name, new TextDecoder(name).decode(bytes)) : undefined;
  if (own !== undefined) return false;
  const isLatin = LATIN_CHARSET.test(name);
  return DOUBLE_BYTE.some((charset) => {
    if (charset === name) return false;
    const text = decodeStrictly(bytes, charset);
    if (text === undefined || likenessTo(charset, text) === undefined) return false;
    const isJapanese = LANGUAGES[charset].includes('ja') && /[\u3041-\u30ff]{2}/u.test(text) && kanaShare(text) >= PROSE_KANA;
    return isJapanese || (isLatin && isMostlyInRuns(text));
  });
}

const isDoubleByte = (name: string): name is DoubleByte => DOUBLE_BYTE.some((charset) => charset === name);

function kanaShare(text: string): number {
  return countMatches(text, /[\u3041-\u30ff]/gu) / Math.max(1, countMatches(text, /[^\0-\x7f]/gu));
}

/** Returns whether most characters beyond ASCII are in words of them alone, not one repeated, such as a line of dashes. */
function isMostlyInRuns(text: string): boolean {
  const runs = text.match(new RegExp(`[^\\0-\\x7f]{${RUN.length},}`, 'gu')) ?? [];
  const characters = runs.join('');
  return characters.length > 0.6 * countMatches(text, /[^\0-\x7f]/gu) && new Set(characters).size >= RUN.length;
}

/** Returns how often a pattern with the flag `g` matches. */
export const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
