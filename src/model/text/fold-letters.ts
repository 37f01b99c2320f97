/**
 * The letters that search compares as others, and lists sort as others, beside what Unicode's decompositions say: one table for
 * the index, for queries, for marks in texts and for A–Z lists. Accents are removed before.
 */

/**
 * Latin letters with strokes and ligatures; Arabic letters of one sound, and those of Persian and Urdu; Yiddish ligatures;
 * apostrophes and the signs of Hebrew abbreviations, as keyboards have them; the nasal signs of Indic scripts, and the final
 * consonants of Malayalam; the two kana of names and counts, as in 関ヶ原: each followed by what it is compared as.
 */
const LETTERS = `ł l đ d ð d ø o ß ss æ ae œ oe þ th ı i ħ h ŧ t ŋ n ĸ k ɛ e ɔ o ɓ b ɗ d ƙ k ƴ y ɲ n ɖ d ǥ g ɨ i ɫ l ƶ z ə e ς σ
  ٱ ا ى ي ة ه ک ك ی ي ې ي ہ ه ە ه ھ ه װ וו ױ וי ײ יי ׳ ' ״ " ’ ' ‘ ' ′ '
  ँ ं ঁ ং ਁ ਂ ੰ ਂ ઁ ં ଁ ଂ ఁ ం ಁ ಂ ൔ മ് ൕ യ് ൖ ഴ് ൺ ണ് ൻ ന് ർ ര് ൽ ല് ൾ ള് ൿ ക്
  ヵ カ ヶ ケ`
  .trim()
  .split(/\s+/);
const FOLDED = new Map(LETTERS.flatMap((letter, i) => (i % 2 === 0 ? [[letter, LETTERS[i + 1] as string] as const] : [])));

/** Characters that are not seen, such as soft hyphens and marks of direction; the stretching of Arabic words; Indic nuktas. */
const UNSEEN = /\p{Cf}|\u034f|\u0640|\u093c|\u09bc|\u0a3c|\u0abc|\u0b3c|\u0cbc/gu;
/** Digits of other scripts than Latin. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
const OTHER = /[^\u0000-\u007f]/gu;
const DIGIT = /\p{Nd}/u;

/** Returns decomposed or composed text in lower case with each letter as it is compared, digits of all scripts as 0–9. */
export function foldLetters(text: string): string {
  return text
    .replace(UNSEEN, '')
    .replace(OTHER, (letter) => FOLDED.get(letter) ?? (DIGIT.test(letter) ? String(digitValue(letter)) : letter));
}

/** Returns the value of a digit. In each script, the digits follow each other, from a code point that ends in 0 or 6 on. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number;
  return DIGIT.test(String.fromCodePoint(code & ~15)) ? code & 15 : (code & 15) - 6;
}
