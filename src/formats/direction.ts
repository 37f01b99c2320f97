/** The direction in which texts are written. */

/** Returns the `dir` attribute of a text with a `lang` attribute; undefined if it is written from left to right, as pages are. */
export function directionOf(lang: string | undefined): 'rtl' | undefined {
  if (lang === undefined) return undefined;
  const { script = '' } = new Intl.Locale(lang).maximize();
  return /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Aran)$/.test(script) ? 'rtl' : undefined;
}
