/** Texts of an archive's own in the languages of the site. */

/** One text for all languages, or texts by language: BCP 47 tags. */
export type LocalText = string | Readonly<Partial<Record<string, string>>>;

/** Returns a text in a language; if it has none in this language, the first one. */
export function inLanguage(text: LocalText, language: string): string {
  if (typeof text === 'string') return text;
  return text[language] ?? Object.values(text)[0] ?? '';
}

/** Returns the language of the text that `inLanguage` returns, if it is another one and known. */
export function languageOf(text: LocalText, language: string): string | undefined {
  return typeof text === 'string' || text[language] !== undefined ? undefined : Object.keys(text)[0];
}
