/** Text as the search engine gets it, in the index and from the reader alike. Runs in Node and in browsers. */

/** A letter with its marks, composed or not. */
const ALPHABETIC = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

/**
 * Latin, Greek and Cyrillic words lose their marks and are split at apostrophes (O’Dálaigh → O Dalaigh), so that they are found
 * however they are typed. Japanese, Chinese and Korean, which have no spaces to split at, become overlapping pairs of characters
 * (山の灯 → 山の の灯), the way library catalogues index them.
 */
export function searchable(text: string): string {
  return text
    .replace(ALPHABETIC, (letter) => letter.normalize('NFD').replace(/\p{M}+/gu, ''))
    .replace(/(?<=\p{L})['’ʼ](?=\p{L})/gu, ' ')
    .replace(CJK, pairs);
}

function pairs(run: string): string {
  const letters = [...run];
  if (letters.length < 2) return ` ${run} `;
  const overlapping = letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
  return ` ${overlapping.join(' ')} `;
}
