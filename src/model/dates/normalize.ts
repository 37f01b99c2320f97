/** The text of a date before it is split: one way of writing letters, digits, dashes and numbers. */
import { KANJI_DATE, KANJI_NUMBER, KANJI_NUMBER_IN_DATE, kanjiNumber } from './eras.ts';

/** Longer texts are not dates. */
const MAX_LENGTH = 160;

/** Returns the text in the form that the rules expect: lower case, without accents, full-width letters and kinds of dashes; undefined if it is too long. */
export function normalize(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const folded = text
    .replace(/[～∼]/g, '〜') // a sign of ranges, which NFKC would turn into the “~” of EDTF
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  if (folded.length > MAX_LENGTH) return undefined; // one character may become eighteen
  const western = folded
    .replace(/[‐‑‒–—―−ー](?=\s*[\d〇一二三四五六七八九十明大昭平令c?\]])|[‐‑‒–—―−]|(?<=[\d年月日])ー/g, '-')
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/(?<=[\d〇一二三四五六七八九十])[·‧•](?=[\d〇一二三四五六七八九十])/g, '・')
    .replace(/년대/g, '年代')
    .replace(/년/g, '年')
    .replace(/월/g, '月')
    .replace(/일/g, '日')
    .replace(/世纪/g, '世紀')
    .replace(/(?<=\d)\[(\d{1,2}\??)\]/g, '$1')
    .replace(/\[(\d{1,3})\](?=\d)/g, '$1')
    .replace(/[\p{Cf}\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const inDigits = (digits: string) => String(kanjiNumber(digits));
  return western.replace(KANJI_DATE, (date) => date.replace(KANJI_NUMBER_IN_DATE, inDigits)).replace(KANJI_NUMBER, inDigits);
}
