/** The direction in which texts are written. */

/** Returns the `dir` attribute of a text with a `lang` attribute; undefined if it is written from left to right, as pages are. */
export function directionOf(lang: string | undefined): 'rtl' | undefined {
  if (lang === undefined) return undefined;
  const { script = '' } = new Intl.Locale(lang).maximize();
  return /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Aran)$/.test(script) ? 'rtl' : undefined;
}

/** Returns the attributes `lang` and `dir` of an element in a language, as HTML. */
export function langAttributes(lang: string): string {
  const dir = directionOf(lang);
  return dir === undefined ? `lang="${lang}"` : `lang="${lang}" dir="${dir}"`;
}
