/** Formats citations of a record in Chicago, APA, BibTeX and RIS with Citation.js, from one description in CSL-JSON. */
import { plugins } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-csl';
import '@citation-js/plugin-ris';
import type { DateReading } from '../../model/dates/read.ts';
import { readRecordDates } from '../../model/dates/record-dates.ts';
import { toOneLine } from '../../model/legible.ts';
import { MAX_LABEL_LENGTH } from '../../model/limits.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { toPlainText, truncateWords } from '../../model/text.ts';
import { CHICAGO_STYLE } from './chicago.ts';

/** The data of a citation. */
export interface CitationInput {
  record: ArchivalRecord;
  title: string;
  /** The archive's title, plain text. */
  archive: string;
  /** The collection's title. */
  collection: string | undefined;
  /** The page in the live archive. */
  url: string | undefined;
  /** When the record was harvested: ISO 8601. */
  accessed: string | undefined;
}

/** A style or format of citations. */
export type CitationStyle = 'Chicago' | 'APA' | 'BibTeX' | 'RIS';

const CHICAGO = 'microfiche-chicago';
// IDs contain hyphens, which BibTeX allows in a key.
plugins.config.get('@bibtex').format.checkLabel = false;
const csl = plugins.config.get('@csl');
csl.templates.add(CHICAGO, CHICAGO_STYLE);

/** Returns the citations of a record as text. They are always in English, the language that the styles are made for. */
export function createCitations(cited: CitationInput): Array<[style: CitationStyle, text: string]> {
  const item = createItem(cited);
  return [
    ['Chicago', formatWithPattern(item, CHICAGO)],
    ['APA', formatWithPattern(item, 'apa')],
    ['BibTeX', formatBibtex(item)],
    ['RIS', formatRis(item)],
  ];
}

/** The key is the record's ID: unique in the archive, stable, and meaningful. */
function formatBibtex(item: CslItem): string {
  return plugins.output.format('bibtex', [{ ...item, 'citation-key': item.id }]).trim();
}

/** Writes each value on one line: the library would wrap long values, and text after a line break could be taken for another field. */
function formatRis(item: CslItem): string {
  const [{ TY: type, ...values } = {}] = plugins.output.format('ris', [item], { format: 'object' });
  const lines = Object.entries(values).flatMap(([tag, value]) =>
    [value].flat().map((part) => `${tag}  - ${toOneLine(String(part))}`),
  );
  return [`TY  - ${type}`, ...lines, 'ER  -'].join('\n');
}

/** An item in CSL-JSON; the properties that are used here. */
export interface CslItem {
  id: string;
  title: string;
  author?: Array<{ literal: string }>;
  interviewer?: Array<{ literal: string }>;
  archive: string;
  archive_collection?: string;
  archive_location: string;
  URL?: string;
  [more: string]: unknown;
}

const ITEM = 'item';

/** Returns the citation of an item from the citation processor. `template` is the name of a style. */
export function formatWithProcessor(item: CslItem, template: string): string {
  // The processor stores items by ID in plain objects, where “constructor” already exists.
  const engine = csl.engine([{ ...item, id: ITEM }], template, 'en-US', 'text');
  try {
    engine.updateItems([ITEM]);
    return (engine.makeBibliography()[1][0] ?? '').trim();
  } catch (error) {
    // The engine is used again for other records, so the state after an error is discarded.
    engine.registry = new engine.registry.constructor(engine);
    throw error;
  }
}

/**
 * Returns the same citation as `formatWithProcessor`, much faster. Items with the same fields, number of names and date differ only in their texts, so the
 * processor runs once for each such kind, with a mark instead of each text. Texts that a style could change, because they end in punctuation or
 * contain quotation marks, go to the processor. A test compares both ways.
 */
export function formatWithPattern(item: CslItem, template: string): string {
  const texts: string[] = [];
  const mark = (text: string): string => {
    const known = texts.indexOf(text);
    return `Zq${known >= 0 ? known : texts.push(text) - 1}qz`;
  };
  const names = (list: CslItem['author']) => list?.map(({ literal }) => ({ literal: mark(literal) }));
  const kind = JSON.stringify({
    ...item,
    title: mark(item.title),
    author: names(item.author),
    interviewer: names(item.interviewer),
    archive: mark(item.archive),
    archive_collection: item.archive_collection && mark(item.archive_collection),
    archive_location: mark(item.archive_location),
    URL: item.URL && mark(item.URL),
    id: 'kind',
  });
  const identifiers = [item.archive_location, item.URL];
  if (!texts.every((text) => (identifiers.includes(text) ? IDENTIFIER : PLAIN_WORDS).test(text)))
    return formatWithProcessor(item, template);
  const key = `${template} ${kind}`;
  const pattern = patterns.get(key) ?? formatWithProcessor(JSON.parse(kind) as CslItem, template);
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  patterns.set(key, pattern);
  return pattern.replace(/Zq(\d+)qz/g, (_, at: string) => texts[Number(at)] as string);
}

const patterns = new Map<string, string>();
const MAX_PATTERNS = 20_000;
/** Texts that every style leaves unchanged: they begin and end with a letter or digit, without quotation marks, markup, or isolated punctuation. */
const PLAIN_WORDS = /^(?!.*\s[\p{P}\p{S}\s])[\p{Lu}\p{Lo}\p{N}](?:[^"'“”‘’«»<>&$_^{}\\]*[\p{L}\p{M}\p{N})])?$/u;
/** The same for IDs and URLs, which begin with a lower-case letter. */
const IDENTIFIER = /^[\w:/.-]+$/;

/** Names in one citation. */
const MAX_NAMES = 50;

/** Returns text of a record on one line, short enough for a citation. */
function lineOf(text: string | undefined): string {
  return truncateWords(toPlainText(text), MAX_LABEL_LENGTH);
}

/** Returns a record as CSL-JSON. */
function createItem({ record, title, archive, collection, url, accessed }: CitationInput): CslItem {
  const names = (hasRole: (role: string) => boolean) =>
    record.creators
      .filter(({ role }) => hasRole((role ?? '').toLowerCase()))
      .slice(0, MAX_NAMES)
      .map(({ namepart }) => ({ literal: lineOf(namepart) }));
  const interviewers = names((role) => role === 'interviewer');
  const authors = names((role) => role !== 'interviewer');
  const { reading, words } = readRecordDates(record);
  const issued = cslDate(reading, words);
  return {
    id: record.id,
    type: cslType(record),
    title,
    ...(authors.length > 0 ? { author: authors } : {}),
    ...(interviewers.length > 0 ? { interviewer: interviewers } : {}),
    ...(issued ? { issued } : {}),
    ...(record.genre ? { medium: lineOf(record.genre).replaceAll('_', ' ') } : {}),
    archive,
    ...(collection ? { archive_collection: collection } : {}),
    archive_location: record.id,
    ...(url ? { URL: url.replace(/[{}]/g, encodeURIComponent) } : {}), // braces would end a BibTeX field
    ...(accessed ? { accessed: { 'date-parts': [dateParts(accessed.slice(0, 10))] } } : {}),
  };
}

function cslType({ model, genre, format, ia_meta: media }: ArchivalRecord): string {
  if (model === 'collection') return 'collection';
  if (genre === 'interview' || format === 'vh') return 'interview';
  if (media) return 'motion_picture';
  if (format === 'img') return 'graphic';
  return genre === 'map' ? 'map' : 'manuscript';
}

/**
 * Returns a date for the citation processor. Only a day, month or year, or a range of two of the same precision, is given in numbers, which a
 * style writes its own way; of anything else, the archive's words are cited.
 */
function cslDate(reading: DateReading | undefined, words: string | undefined): object | undefined {
  const [only, ...others] = reading?.intervals ?? [];
  const literal = lineOf(words);
  if (only && others.length === 0 && words !== undefined && !only.uncertain && PLAIN_EDTF.test(only.edtf)) {
    const parts = [...new Set([only.start, only.end])].map((bound) => dateParts(bound as string));
    if (new Set(parts.map(({ length }) => length)).size === 1)
      return { 'date-parts': parts, ...(only.approximate ? { circa: true } : {}) };
  }
  return literal === '' ? undefined : { literal };
}

/** A date or range in EDTF that a citation style can write in numbers. */
const PLAIN_EDTF = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?~?(?:\/\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?~?)?$/;

function dateParts(date: string): number[] {
  return date.split('-').map(Number);
}
