/** Texts of IIIF resources: each with its language, and none that a viewer could take for markup. */
import { itemLanguages } from '../../catalogue/catalogue.ts';
import type { ListedEntry } from '../../catalogue/entries.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { inLanguage } from '../../model/text/local-text.ts';
import { truncateWords } from '../../model/text/text.ts';
import { type ArchiveLanguages, detectLanguage } from '../../model/text/text-language.ts';
import type { FieldPart } from '../../site/fields/field-parts.ts';
import { oneLine } from '../../site/fields/field-values.ts';
import { readFields, type Section } from '../../site/fields/fields.ts';
import { createLocales, type Dictionary, LANGUAGES, type Locale } from '../../site/language/locale.ts';
import type { Notice, RecordNotices } from '../../site/notices/notices.ts';

/** Texts by language: BCP 47 tags, or `none`. Source: https://iiif.io/api/presentation/3.0/#language-of-property-values */
export type LanguageMap = Record<string, string[]>;

/** One row of a record's description. */
export type LabeledText = Record<'label' | 'value', LanguageMap>;

/** Characters of a value, and number of values of a field. */
const MAX_VALUE_LENGTH = 2_000;
const MAX_VALUES = 100;
/** Characters of a title or description. */
const MAX_TEXT_LENGTH = 10_000;

const SHOWN_SECTIONS: ReadonlySet<Section> = new Set<Section>(['summary', 'about']);
const STATEMENT_FIELDS: ReadonlySet<string> = new Set(['credit', 'rights', 'rights_statement', 'userrestrict']);
const isShownBeside = (name: string, section: Section) =>
  (SHOWN_SECTIONS.has(section) && !STATEMENT_FIELDS.has(name)) || name === 'id';
/** Fields whose values are names and identifiers, not texts in a language. */
const WITHOUT_LANGUAGE: ReadonlySet<string> = new Set(['creators', 'persons', 'alternate_id', 'id']);
const NO_LANGUAGE = 'none';

/** Returns the texts of an archive in these languages. Labels are in all interface languages, not only those of the site. */
export function createIiifTexts(languages: ArchiveLanguages) {
  const locales = createLocales(LANGUAGES);
  const languageOf = (text: string, item?: Pick<ListedEntry, 'facets'>) =>
    detectLanguage(text, languages, item ? itemLanguages(item) : [])?.replace('und', NO_LANGUAGE) ?? NO_LANGUAGE;
  /** Returns a text of the interface in all languages. */
  const label = (of: (t: Dictionary, locale: Locale) => string): LanguageMap =>
    Object.fromEntries(locales.map((locale) => [locale.language, [of(locale.t, locale)]]));

  /** Returns the rows of the fields that `isWanted` accepts, with their values in each language of the interface. */
  function readRows(record: ArchivalRecord, entry: ListedEntry, isWanted: (name: string, section: Section) => boolean): Row[] {
    const rows = new Map<string, Row>();
    for (const [i, locale] of locales.entries())
      for (const { field, label: name, parts } of readFields(record, entry.facets, locale)) {
        if (!isWanted(field.name, field.section)) continue;
        const row = rows.get(field.name) ?? { name: field.name, label: {}, values: locales.map(() => []) };
        row.label[locale.language] = [name];
        row.values[i] = parts.slice(0, MAX_VALUES).flatMap(readValue);
        rows.set(field.name, row);
      }
    return [...rows.values()].filter(({ values }) => values.some((texts) => texts.length > 0));
  }

  /** Values that are the same in all interface languages are the archive's; a viewer shows only those of one language. */
  function toMap(values: string[][], languageOfText: (text: string) => string): LanguageMap {
    const [first = []] = values;
    return values.every((others) => others.join('\n') === first.join('\n'))
      ? groupBy(first, languageOfText)
      : Object.fromEntries(locales.map(({ language }, i) => [language, values[i] ?? []]));
  }

  return {
    label,
    /** Returns a text of the archive, or one in several languages. `item` is the record that it describes. */
    text(text: string | readonly string[], item?: Pick<ListedEntry, 'facets'>): LanguageMap {
      const shown = [text].flat().map((each) => plain(truncateWords(each, MAX_TEXT_LENGTH)));
      return groupBy(shown, (each) => languageOf(each, item));
    },
    /** Returns the fields that a viewer shows beside a record. */
    metadata: (record: ArchivalRecord, entry: ListedEntry): LabeledText[] =>
      readRows(record, entry, isShownBeside).map((row) => ({
        label: row.label,
        value: toMap(row.values, (text) => (WITHOUT_LANGUAGE.has(row.name) ? NO_LANGUAGE : languageOf(text, entry))),
      })),
    /** Returns notices, the credit line and the terms of use, which every viewer must show; undefined if the record has none. */
    requiredStatement(record: ArchivalRecord, entry: ListedEntry, { warnings, labels }: RecordNotices): LabeledText | undefined {
      const rows = readRows(record, entry, (name) => STATEMENT_FIELDS.has(name));
      const notices = [...warnings, ...labels];
      if (rows.length === 0 && notices.length === 0) return undefined;
      const values = locales.map((locale, i) => [
        ...notices.map((notice) => describeNotice(notice, locale)),
        ...rows.flatMap((row) => row.values[i] ?? []),
      ]);
      const names = (t: Dictionary) => [
        ...(notices.length > 0 ? [t.notices.both] : []),
        ...(rows.length > 0 ? [t.fieldSections.rights] : []),
      ];
      return { label: label((t) => names(t).join(' · ')), value: toMap(values, (text) => languageOf(text, entry)) };
    },
  };
}

/** Returns what a notice says, with its link. */
function describeNotice({ kind, title, text, link }: Notice, { t, language }: Locale): string {
  const words = [title, ...(text === undefined ? [] : [text])].map((each) => inLanguage(each, language));
  return plain([...(kind === 'warning' ? [t.notices.warning] : []), ...words, ...(link === undefined ? [] : [link])].join(' – '));
}

interface Row {
  /** As in the record. */
  name: string;
  label: LanguageMap;
  /** In each language of the interface. */
  values: string[][];
}

function readValue(part: FieldPart): string[] {
  const value = plain(truncateWords(oneLine(part), MAX_VALUE_LENGTH));
  return value === '' ? [] : [value];
}

/** A text from `<` to `>` would be HTML for viewers. The specification recommends a space after it. */
const plain = (text: string): string => (text.startsWith('<') && text.endsWith('>') ? `${text} ` : text);

function groupBy(texts: readonly string[], languageOf: (text: string) => string): LanguageMap {
  const map: LanguageMap = {};
  for (const text of texts) {
    const tag = languageOf(text);
    map[tag] = [...(map[tag] ?? []), text];
  }
  return map;
}
