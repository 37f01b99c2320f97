/** Reads the fields of a record in which words are searched. */
import type { ObjectEntry } from '../catalogue/entries.ts';
import { CREATOR_WITH_ROLE, type SearchedField } from '../formats/result-data.ts';
import { allYears, coveredYears } from '../model/dates/coverage.ts';
import { formatOf } from '../model/dates/format.ts';
import type { DateReading } from '../model/dates/read.ts';
import { CODED_FACETS, type Facet } from '../model/facets.ts';
import { readRecordDates } from '../model/record-dates.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { toPlainText } from '../model/text/text.ts';
import { facetLabel } from '../site/fields/facet-label.ts';
import { jsonParts, oneLine } from '../site/fields/field-values.ts';
import { FIELDS } from '../site/fields/fields.ts';
import { createLocales, type Locale } from '../site/language/locale.ts';

/** Fields whose row on the page contains codes, such as IDs and coordinates, or dates in other words than the archive’s. */
const NAMES: Readonly<Record<string, (record: ArchivalRecord) => Array<string | undefined>>> = {
  persons: ({ persons }) => persons.map(({ namepart }) => namepart),
  geography: ({ geography }) => geography.map(({ term }) => term),
  creation: ({ creation }) => [creation],
  unitdateinclusive: ({ raw }) => jsonParts(raw['unitdateinclusive']).map(({ text }) => text),
  unitdatebulk: ({ raw }) => jsonParts(raw['unitdatebulk']).map(({ text }) => text),
};
/** The language of what a field’s reader adds to the archive’s text. */
const [ENGLISH] = createLocales(['en']) as [Locale];

/** Returns the fields of a record in which words are searched, in their order on the page. `locales` are those of the site. */
export function readSearchedFields(
  entry: Pick<ObjectEntry, 'id' | 'model' | 'parent' | 'facets'>,
  record: ArchivalRecord,
  locales: readonly Locale[],
): SearchedField[] {
  const { id, model, parent } = entry;
  const date = dateField(record, locales);
  return FIELDS.filter(({ isSearched }) => isSearched).flatMap(({ name, readParts }): SearchedField[] => {
    if (name === date?.[0]) return [date];
    // The end of a file’s ID, role and checksum, is not searched: the whole ID finds the file.
    if (name === 'id') return [['id', id, model === 'file' && parent !== undefined ? parent : id]];
    if (name === 'creators') return record.creators.flatMap(creatorField);
    const codes = CODED_FACETS.find((facet) => facet === name);
    if (codes) return codedFields(codes, entry, locales);
    const texts = NAMES[name]?.(record).map(toPlainText) ?? readParts(record, entry.facets, ENGLISH).map(oneLine);
    return texts.flatMap((text): SearchedField[] => (text === '' ? [] : [[name, text]]));
  });
}

/** Returns a facet's codes as fields, found by label. Codes of genres are the words in the singular (Photographs, photograph). */
function codedFields(facet: Facet, entry: Pick<ObjectEntry, 'facets'>, locales: readonly Locale[]): SearchedField[] {
  return (entry.facets[facet] ?? []).map((value) => [
    facet,
    value.label,
    [
      ...new Set(locales.map((locale) => facetLabel(locale, facet, value))),
      ...(facet === 'genre' ? [value.label.replaceAll('_', ' ')] : []),
    ].join(' '),
  ]);
}

/** Returns a creator as a field whose name ends in the role, so that results can show its label. */
function creatorField({ namepart, role }: ArchivalRecord['creators'][number]): SearchedField[] {
  const name = toPlainText(namepart);
  if (name === '') return [];
  return [role === undefined || role === '' ? ['creators', name] : [`${CREATOR_WITH_ROLE}${role}`, name, role]];
}

/** Returns the field that states the record's date, with the words of its reading. Periods have no such words of their own. */
function dateField(record: ArchivalRecord, locales: readonly Locale[]): SearchedField | undefined {
  const { reading, words } = readRecordDates(record);
  if (!reading) return undefined;
  const isOwn = words !== undefined && toPlainText(record.creation) === words;
  const years = allYears(reading, Number.POSITIVE_INFINITY);
  const text = words ?? [...new Set([years[0], years.at(-1)])].join('–');
  return [isOwn || words === undefined ? 'creation' : 'unitdateinclusive', text, dateWords(reading, locales)];
}

/** A bound with a month, and perhaps a day. */
const PRECISE = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/;
const SEASONS: Readonly<Record<string, string>> = { 21: 'spring', 22: 'summer', 23: 'autumn fall', 24: 'winter' };

/** Returns a date's words as one text: years, decades (1940s), and days and months in each language and in ISO 8601. */
export function dateWords(reading: DateReading, locales: readonly Locale[]): string {
  const { decades, years } = coveredYears(reading);
  const words = [
    ...years.map(String),
    ...decades.flatMap((decade) => [`${decade}s`, ...locales.map(({ t }) => t.decade(decade))]),
    ...reading.intervals.flatMap(({ start, end, edtf }) => {
      const season = /^\d{4}-(2[1-4])/.exec(edtf)?.[1];
      if (season !== undefined) return [SEASONS[season] as string];
      return [start, end].flatMap((bound) => formatBound(bound, locales));
    }),
  ];
  // A record of these years is more relevant than one of a long span that includes them.
  const repeated = decades.length <= 2 ? [...years.map(String), ...decades.map((decade) => `${decade}s`)] : [];
  return [...new Set(words), ...repeated].join(' ');
}

function formatBound(bound: string | undefined, locales: readonly Locale[]): string[] {
  const [, year, month, day] = PRECISE.exec(bound ?? '') ?? [];
  if (year === undefined) return [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1)));
  const formatted = locales.flatMap(({ language }) =>
    (['long', 'short'] as const).map((form) => formatOf(language, day !== undefined, form).format(date)),
  );
  const isSeptember = month === '09' && locales.some(({ language }) => language === 'en');
  return [bound as string, ...formatted, ...(isSeptember ? ['sept'] : [])];
}
