/** Reads the values of record fields as parts of a page: texts, most of them with links. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { findPerson } from '../../catalogue/people/find-person.ts';
import { hasTwoReadings, isOnlyCenturyOpen } from '../../model/dates/day-order.ts';
import { withDashes } from '../../model/dates/format.ts';
import { FACET_VALUES, FACETS, type Facet } from '../../model/facets.ts';
import { isAboveItems } from '../../model/ids.ts';
import type { Creator } from '../../model/people/record-people.ts';
import { readRecordDates, saysItsDates } from '../../model/record-dates.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { rightsTermsUrl, statedRights } from '../../model/rights-terms.ts';
import { capitalize } from '../../model/text/capitalize.ts';
import { encloseInMarks } from '../../model/text/isolate.ts';
import { nameSlug, termSlug } from '../../model/text/slug.ts';
import { statedText } from '../../model/values.ts';
import { formatDuration, parseDuration } from '../../platform/quantities.ts';
import { codeLabel, type Locale } from '../language/locale.ts';
import { facetLabel } from './facet-label.ts';
import { jsonParts, noteParts, plainValue } from './field-values.ts';
import { rightsGroupOf, rightsNote } from './rights-groups.ts';

/** One value of a field. `facet`, `object` and `url` make it a link. */
export interface FieldPart {
  text: string;
  /** The label of the value’s row, if it is not that of the field. */
  label?: string;
  /** Untrusted HTML, which is sanitized and shown instead of `text`. */
  html?: string;
  facet?: { facet: Facet; slug: string };
  /** A record's ID. */
  object?: string;
  /** A URL outside the site. */
  url?: string;
  /** Whether the URL is a link in the record’s text, which stays in the site if it has the page. */
  isTextLink?: true;
  /** Of a rights label: whether the terms let anyone use the item. */
  isFree?: boolean;
  /** What is said after it in small letters. */
  remark?: string;
}

/** The facet values of a record, as its entry has them. */
export type Facets = ObjectEntry['facets'];
/** Returns the values of a field; none if the record does not have it. */
export type Reader = (record: ArchivalRecord, facets: Facets, locale: Locale) => FieldPart[];

/** Returns the reader of a field with text that may have markup. */
export const noteField: (name: string) => Reader = (name) => (record, _, locale) => noteParts(record.raw[name], locale.language);
/** Returns the reader of a field with HTML. */
export const htmlField: (name: string) => Reader = (name) => (record, _, locale) =>
  jsonParts(record.raw[name], locale.language).map((part) => ({ ...part, html: part.text }));
/** Returns the reader of a code that has a label. */
export const codedField: (name: 'model' | 'status' | 'public' | 'role') => Reader = (name) => (record, _, locale) =>
  jsonParts(record.raw[name]).map(({ text }) => ({ text: codeLabel(locale.t.codes[name], text) }));
/** Returns the reader of a record's ID, with a link to its page. */
export const objectField: (name: string) => Reader = (name) => (record) =>
  jsonParts(record.raw[name]).map(({ text }) => ({ text, object: text }));
/** Returns the reader of facet values, with links to their pages. */
export const facetField: (facet: Facet) => Reader = (facet) => (_, facets, locale) =>
  (facets[facet] ?? []).map((value) => ({
    text: facetLabel(locale, facet, { ...value, label: value.fullLabel ?? value.label }),
    facet: { facet, slug: value.slug },
  }));

/** Returns the reader of a field with any JSON, as text. If readers browse by it, its values are links. */
export const textField: (name: string) => Reader = (name) => {
  const facet = FACETS.find((each) => 'field' in FACET_VALUES[each] && FACET_VALUES[each].field === name);
  return facet ? facetField(facet) : (record, _, locale) => jsonParts(record.raw[name], locale.language);
};

/** What has a date of a record in which a day that could be two is resolved. */
type ResolvedDate = 'unitdateinclusive' | 'digitizeDate';

/** A time as a date in the page's language; other text as it is. */
export const timeField: (name: string, resolved?: ResolvedDate) => Reader = (name, resolved) => (record, _, locale) =>
  jsonParts((resolved && record[resolved]) ?? record.raw[name]).map(({ text }) => ({ text: locale.formatDate(text) }));

/** Links the date to its year, or its first decade. An undated record is browsed by its period, which is then the link. */
export function creationParts(record: ArchivalRecord, facets: Facets, locale: Locale): FieldPart[] {
  const [period] = isDatedByPeriod(record) ? periodsOf(record, locale) : [];
  return (record.creation === undefined ? [] : [record.creation]).map((line) => {
    const date = withRemark(plainValue(line), locale);
    return period
      ? { ...date, remark: locale.t.object.period(period.filter(Boolean).join(', ')) }
      : { ...date, ...timeLink(facets) };
  });
}

/** Returns the link to the year of a record, or to its first decade if it has several years. */
function timeLink({ time: times = [] }: Facets): Pick<FieldPart, 'facet'> {
  const years = times.filter(({ slug }) => /^\d+$/.test(slug));
  const target = years.length === 1 ? years[0] : times[0];
  return target ? { facet: { facet: 'time', slug: target.slug } } : {};
}

/** Whether the record says when it was made in no way that can be read, but has a period. */
function isDatedByPeriod(record: ArchivalRecord): boolean {
  const { stated, reading } = readRecordDates(record);
  return stated === undefined && reading !== undefined;
}

/** Returns a date, with a remark if it is shown in the archive's numbers because either may be the day. */
function withRemark(words: string, { t, formatRecordDate }: Locale): Pick<FieldPart, 'text' | 'remark'> {
  const text = formatRecordDate(words);
  return hasTwoReadings(text)
    ? { text, remark: t.object[isOnlyCenturyOpen(text) ? 'centuryAsWritten' : 'dateAsWritten'] }
    : { text };
}

/**
 * Returns the people of a list, each once with all roles: entries with one facet value, or with the same name and no value, are
 * one person.
 */
function namedPeople(
  facet: 'creator' | 'person',
  people: ReadonlyArray<Omit<Creator, 'role'> & { role?: string | undefined }>,
  facets: Facets,
) {
  const entries = people.map(({ namepart: name, role, oh_id, nr_id }) => {
    return { name, role, oh_id, nr_id, slug: findPerson(facets[facet], { slug: nameSlug(name), oh_id, nr_id })?.slug };
  });
  const groups = Map.groupBy(entries, ({ slug, name }) => slug ?? `\n${name}`);
  return [...groups.values()].flatMap((same) => {
    const roles = [...new Set(same.flatMap(({ role }) => role ?? []))];
    const [oh_id] = same.flatMap((one) => one.oh_id ?? []);
    const [nr_id] = same.flatMap((one) => one.nr_id ?? []);
    return same.slice(0, 1).map(({ name, slug }) => ({ name, roles, oh_id, nr_id, slug }));
  });
}

/** Returns people with their roles: creators in rows for each role, such as “Interviewer”. */
export function peopleParts(
  facet: 'creator' | 'person',
  people: Parameters<typeof namedPeople>[1],
  facets: Facets,
  { t }: Locale,
): FieldPart[] {
  return namedPeople(facet, people, facets).map(({ name, roles, slug }) => {
    const labels = roles.map((role) => codeLabel(t.codes.creatorRole, role)).join(', ');
    const isRow = facet === 'creator' && labels !== '';
    return {
      text: isRow || labels === '' ? plainValue(name) : `${plainValue(name)}, ${labels}`,
      ...(isRow ? { label: capitalize(labels) } : {}),
      ...(slug === undefined ? {} : { facet: { facet, slug } }),
    };
  });
}

/** Returns the creators of a record. Of a collection, a person is not the author, but in the words of archives its creator. */
export function creatorParts({ creators, model }: ArchivalRecord, facets: Facets, locale: Locale): FieldPart[] {
  const isAbove = isAboveItems(model);
  const shown = creators.map(({ role, ...creator }) => (isAbove && role === 'author' ? creator : { ...creator, role }));
  return peopleParts('creator', shown, facets, locale);
}

/** Returns the names of a record that have an authority record or a narrator's number, with these. */
export function peopleIdParts(record: ArchivalRecord, facets: Facets, { t }: Locale): FieldPart[] {
  const people = [...namedPeople('creator', record.creators, facets), ...namedPeople('person', record.persons, facets)];
  const lines = people.flatMap(({ name, oh_id, nr_id }) => {
    const ids = [nr_id && t.nameRecord(nr_id), oh_id !== undefined && t.narrator(oh_id)].filter(Boolean);
    return ids.length === 0 ? [] : [`${plainValue(name)}: ${ids.join(', ')}`];
  });
  return [...new Set(lines)].map((text) => ({ text }));
}

/** Returns the rights code or the license by its name, linked to its terms, and a sentence that explains it. */
export function rightsParts(record: ArchivalRecord, _: Facets, locale: Locale): FieldPart[] {
  return jsonParts(record.raw['rights']).flatMap(({ text: code }): FieldPart[] => {
    const terms = rightsTermsUrl(record);
    const stated = statedRights({ raw: { ...record.raw, rights: code } }) ?? code;
    const note = rightsNote(stated, locale);
    return [
      {
        text: codeLabel(locale.t.codes.rights, stated),
        isFree: rightsGroupOf(stated) === 'free',
        ...(terms ? { url: terms } : {}),
      },
      ...(note === undefined ? [] : [{ text: note }]),
    ];
  });
}

/** Returns the names of places. */
export function placeParts(record: ArchivalRecord, facets: Facets): FieldPart[] {
  const slugs = facets.place ?? [];
  return record.geography.map(({ id, term }) => {
    const own = termSlug({ id, term });
    const slug = slugs.find((value) => value.slug === own || value.aliases?.includes(own))?.slug;
    return slug ? { text: plainValue(term), facet: { facet: 'place', slug } } : { text: plainValue(term) };
  });
}

/** Returns the coordinates and the vocabulary's identifiers of places. */
export function placeIdParts(record: ArchivalRecord): FieldPart[] {
  return record.geography.flatMap(({ id, term, geo_lat, geo_lng }) => {
    const position = geo_lat === undefined || geo_lng === undefined ? undefined : `${geo_lat}, ${geo_lng}`;
    const facts = [position, id].filter(Boolean);
    return facts.length === 0 ? [] : [{ text: `${plainValue(term)}: ${facts.join(', ')}` }];
  });
}

/** Returns periods with their dates. */
export function chronologyParts(record: ArchivalRecord, facets: Facets, locale: Locale): FieldPart[] {
  const periods = periodsOf(record, locale);
  const link = periods.length === 1 && isDatedByPeriod(record) ? timeLink(facets) : {};
  return periods.map(([term, dates]) => ({
    text: term && dates ? `${term} (${encloseInMarks(dates)})` : (term ?? dates),
    ...link,
  }));
}

/** Returns the name of each period, if it has one, and its dates. */
function periodsOf(
  record: ArchivalRecord,
  { formatRecordDate, formatPeriod }: Locale,
): Array<[term: string | undefined, dates: string]> {
  const withoutTime = (date: string | undefined) => date?.replace(/[ T]00:00:00(?:\.0)?$/, '');
  return record.chronology.map((period) => {
    const { term: words, startdate, enddate } = period;
    const term = words && plainValue(words);
    if (term !== undefined && saysItsDates(period)) return [undefined, formatRecordDate(term)];
    const [from, to] = [withoutTime(startdate), withoutTime(enddate)];
    const dates = from && to ? formatPeriod(from, to) : formatRecordDate(from ?? to ?? '');
    return [term, dates];
  });
}

/** Returns the reader of a field with dates. */
export const dateField: (name: string, resolved?: ResolvedDate) => Reader = (name, resolved) => (record, _, locale) =>
  noteParts((resolved && record[resolved]) ?? record.raw[name]).map((part) => ({ ...part, ...withRemark(part.text, locale) }));

/** Returns when most of a collection is from, unless that is all of its time. */
export const bulkDateParts: Reader = (record, ...rest) =>
  statedText(record.raw['unitdatebulk']) === statedText(record.raw['unitdateinclusive'])
    ? []
    : dateField('unitdatebulk')(record, ...rest);

/** Returns the extent; that of a recording is its length. */
export function extentParts(record: ArchivalRecord, _: Facets, { t }: Locale): FieldPart[] {
  return noteParts(record.raw['extent']).map((part) => {
    const seconds = /^\d{1,3}(?::\d\d){1,2}$/.test(part.text.trim()) ? parseDuration(part.text.trim()) : undefined;
    return seconds === undefined ? part : { text: formatDuration(seconds), label: t.recording.lengthLabel };
  });
}

/** Returns the archive's words for the dates that the page writes otherwise. */
export function dateWordsParts(record: ArchivalRecord, _: Facets, { formatRecordDate }: Locale): FieldPart[] {
  const own = statedText(record.raw['creation']);
  const isResolved = record.creation !== undefined && own !== record.creation;
  const parts = ['unitdateinclusive', 'unitdatebulk'].flatMap((name) => noteParts(record.raw[name])).map(({ text }) => text);
  const texts = [...(own === undefined ? [] : [own]), ...parts]
    .map(plainValue)
    .filter((text, i) => (i === 0 && isResolved) || withDashes(text) !== formatRecordDate(text));
  return [...new Set(texts)].map((text) => ({ text }));
}

/** Returns links to other sites. */
export function externalUrlParts(record: ArchivalRecord): FieldPart[] {
  return record.external_urls.map(({ label, url }) => ({
    text: label === undefined ? url : plainValue(label),
    url,
    isTextLink: true as const,
  }));
}

/** The beginning of the names of fields with addresses for programs. */
export const LINK_FIELD = /^links?_/;

/**
 * Returns addresses in the live archive, without links: most of them are for programs, and some hosts are not public. Some
 * records have further ones in fields such as `links_children`.
 */
export function linkParts(record: ArchivalRecord, _: Facets, { t }: Locale): FieldPart[] {
  const others = Object.entries(record.raw).flatMap(([name, value]) =>
    LINK_FIELD.test(name) ? jsonParts(value).map(({ text }) => [name.replace(LINK_FIELD, ''), text] as const) : [],
  );
  return [...Object.entries(record.links), ...others].map(([name, url]) => ({ text: `${codeLabel(t.links, name)}: ${url}` }));
}
