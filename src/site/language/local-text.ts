/** Texts of an archive's own in the languages of the site. */

/** One text for all languages, or texts by language: BCP 47 tags. */
export type LocalText = string | Readonly<Partial<Record<string, string>>>;

/** Returns a text in a language; if it has none in this language, the first one. */
export function inLanguage(text: LocalText, language: string): string {
  if (typeof text === 'string') return text;
  return text[language] ?? Object.values(text)[0] ?? '';
}
