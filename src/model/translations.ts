/** The title and description of a record in other languages: in texts by language, or in fields such as `title_ja`. */
import { languageTag } from './text/language-tag.ts';
import { MAX_LIST_MEMBERS } from './text/limits.ts';
import { toPlainText } from './text/text.ts';
import { statedText, textsByLanguage } from './values.ts';

/** The fields that are read in other languages. */
const FIELDS = ['title', 'description'] as const;
const TRANSLATED_FIELD = /^(title|description)_(([a-z]{2,3})(?:[-_](?:[A-Za-z]{2}){1,2})?)$/;

/** What a record says in another language than its own fields. */
export interface Translation extends Partial<Record<(typeof FIELDS)[number], string>> {
  /** A BCP 47 tag. */
  language: string;
}

/** Returns the field and the language of a field such as `title_ja` with text; undefined for another one. */
export function readTranslatedField(name: string, value: unknown) {
  const [, field, code = '', primary = ''] = TRANSLATED_FIELD.exec(name) ?? [];
  // Codes without one of two letters are words more often, such as `alt`; `id` and `no` are numbers.
  const isLanguage = languageTag(primary)?.length === 2 && !/^(?:id|no)$/.test(primary);
  const text = isLanguage ? statedText(value) : undefined;
  if (text === undefined || !/\p{L}/u.test(text)) return undefined;
  return { field: field as (typeof FIELDS)[number], language: tagOf(code), text };
}

/** Returns the texts of a record as received that are not those of `title` and `description`, by their languages. */
export function readTranslations(raw: Readonly<Record<string, unknown>>): Translation[] {
  const ofFields = Object.entries(raw).flatMap(([name, value]) => readTranslatedField(name, value) ?? []);
  const ofTexts = FIELDS.flatMap((field) =>
    textsByLanguage(raw[field]).map(([key, value]) => ({ field, language: tagOf(key), text: statedText(value) ?? '' })),
  );
  const others = [...ofFields, ...ofTexts]
    .slice(0, MAX_LIST_MEMBERS)
    .filter(({ field, text }) => text !== '' && text !== statedText(raw[field]))
    .map(({ field, language, text }) => ({ field, language, text: field === 'title' ? toPlainText(text) : text }));
  return [...Map.groupBy(others, ({ language }) => language)].map(([language, texts]) => ({
    language,
    ...Object.fromEntries(texts.map(({ field, text }) => [field, text])),
  }));
}

/** Returns the BCP 47 tag of a code with a region or script, or without: `pt-BR` for `pt_BR`, `ja` for `jpn`. */
function tagOf(code: string): string {
  const [primary = '', ...subtags] = code.split(/[-_]/);
  return new Intl.Locale([languageTag(primary) ?? primary, ...subtags].join('-')).toString();
}
