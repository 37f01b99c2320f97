/** The direction in which texts are written. */

/** Whether a language is written from right to left. To find it out takes as long as to write a field of a record. */
const isRightToLeft = new Map<string, boolean>();

/** Returns the `dir` attribute of a text with a `lang` attribute; undefined if it is written from left to right, as pages are. */
export function directionOf(lang: string | undefined): 'rtl' | undefined {
  if (lang === undefined) return undefined;
  if (!isRightToLeft.has(lang)) {
    const { script = '' } = new Intl.Locale(lang).maximize();
    isRightToLeft.set(lang, /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Aran)$/.test(script));
  }
  return isRightToLeft.get(lang) === true ? 'rtl' : undefined;
}

/** Returns the attributes `lang` and `dir` of an element in a language, as HTML. */
export function langAttributes(lang: string): string {
  const dir = directionOf(lang);
  return dir === undefined ? `lang="${lang}"` : `lang="${lang}" dir="${dir}"`;
}
