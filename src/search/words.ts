/** Text as the search engine gets it, in the index and from the reader alike. Runs in Node and in browsers. */

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

/**
 * Writes Japanese, Chinese and Korean, which have no spaces to split at, as overlapping pairs of characters
 * (山の灯 → 山の の灯), the way library catalogues index them; other text stays as it is.
 */
export function searchable(text: string): string {
  return text.replace(CJK, (run) => {
    const letters = [...run];
    if (letters.length < 2) return ` ${run} `;
    return ` ${letters
      .slice(1)
      .map((letter, i) => `${letters[i]}${letter}`)
      .join(' ')} `;
  });
}
