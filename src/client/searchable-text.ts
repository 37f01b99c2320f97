/** Normalizes text for the search engine, for documents in Node and for queries in browsers. */

/** A letter with its diacritics, composed or not. */
const LETTER_WITH_MARKS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*/gu;
const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

/**
 * Returns a text in the form that is indexed and searched. Latin, Greek and Cyrillic words lose their diacritics and are split at apostrophes
 * (O’Dálaigh → O Dalaigh), so that they are found however they are typed. Japanese, Chinese and Korean, which have no spaces to split at,
 * become bigrams: overlapping pairs of characters (山の灯 → 山の の灯).
 */
export function toSearchable(text: string): string {
  return text
    .replace(LETTER_WITH_MARKS, (letter) => letter.normalize('NFD').replace(/\p{M}+/gu, ''))
    .replace(/(?<=\p{L})['’ʼ](?=\p{L})/gu, ' ')
    .replace(CJK_RUN, bigrams);
}

function bigrams(run: string): string {
  const letters = [...run];
  if (letters.length < 2) return ` ${run} `;
  const overlapping = letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
  return ` ${overlapping.join(' ')} `;
}
