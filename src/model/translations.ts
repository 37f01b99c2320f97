/** The title and description of a record in other languages: in texts by language, or in fields such as `title_ja`. */
import { languageTag } from './text/language-tag.ts';
import { MAX_LIST_MEMBERS } from './text/limits.ts';
import { languagesIn, statedText } from './values.ts';

/** The fields that are read in other languages. */
const FIELDS = ['title', 'description'] as const;
const TRANSLATED_FIELD = /^(title|description)_([a-z]{2,3})$/;

/** What a record says in another language than its own fields. */
export interface Translation extends Partial<Record<(typeof FIELDS)[number], string>> {
  /** A BCP 47 tag. */
  language: string;
}

/** Returns the language and field of a field such as `title_ja`; undefined for another name. */
export function readTranslatedField(name: string): { field: (typeof FIELDS)[number]; language: string } | undefined {
  const [, field, code = ''] = TRANSLATED_FIELD.exec(name) ?? [];
  const language = languageTag(code);
  return language === undefined ? undefined : { field: field as (typeof FIELDS)[number], language };
}

/** Returns the texts of a record as received that are not those of `title` and `description`, by their languages. */
export function readTranslations(raw: Readonly<Record<string, unknown>>): Translation[] {
  const ofFields = Object.keys(raw).flatMap((name) => {
    const read = readTranslatedField(name);
    return read ? { ...read, text: statedText(raw[name], read.language) } : [];
  });
  const ofTexts = FIELDS.flatMap((field) =>
    languagesIn(raw[field]).map((language) => ({ field, language, text: statedText(raw[field], language) })),
  );
  const others = [...ofFields, ...ofTexts]
    .slice(0, MAX_LIST_MEMBERS)
    .filter(({ field, text }) => text !== undefined && text !== statedText(raw[field]));
  return [...Map.groupBy(others, ({ language }) => language)].map(([language, texts]) => ({
    language,
    ...Object.fromEntries(texts.map(({ field, text }) => [field, text])),
  }));
}
