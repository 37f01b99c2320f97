/** Dublin Core: a record's elements, its type in the DCMI Type Vocabulary, and its dates for programs. */
import { keyByWord } from '../platform/key-by-word.ts';
import { toIso } from './dates/coverage.ts';
import type { DateReading } from './dates/read.ts';
import types from './dcmi-types.json' with { type: 'json' };
import { creatorNames, institutionOf, mentionedNames } from './people/agents.ts';
import { readPeriods, readRecordDates } from './record-dates.ts';
import type { ArchivalRecord } from './records.ts';
import { rightsTermsUrl } from './rights-terms.ts';
import { languageTag } from './text/language-tag.ts';
import { toPlainText, truncateWords } from './text/text.ts';
import { text } from './values.ts';

/** The terms of the DCMI Type Vocabulary that records have. */
export type DcmiType = 'Collection' | 'Dataset' | 'MovingImage' | 'PhysicalObject' | 'Sound' | 'StillImage' | 'Text';

const TYPES_BY_FORMAT: ReadonlyMap<string, DcmiType> = keyByWord(types.byFormat);
/** Genres (docs/upstream-api.md, “Codes”) for items whose format does not decide. */
const TYPES_BY_GENRE: ReadonlyMap<string, DcmiType> = keyByWord(types.byGenre);
const TEXT_FILE =
  /^(?:text\/|application\/(?:pdf|rtf|msword|xhtml|epub|vnd\.(?:oasis\.opendocument\.text|openxmlformats.*wordprocessing)))/;
const DATA_FILE =
  /^(?:text\/csv|application\/(?:json|vnd\.(?:ms-excel|oasis\.opendocument\.spreadsheet|openxmlformats.*spreadsheet)))/;

/** Returns the type of a record; undefined if no term is certain to fit, as for organizations. */
export function dcmiType({ model, genre, format, ia_meta: media, mimetype, role }: ArchivalRecord): DcmiType | undefined {
  if (model === 'collection') return 'Collection';
  if (model === 'repository' || model === 'organization') return undefined;
  if (model === 'file') return typeOfFile(mimetype, role);
  if (genre === 'physical_object') return 'PhysicalObject';
  const recorded = media && [media.mimetype, ...media.files.map((file) => file.mimetype)].map((type) => typeOfFile(type));
  return (
    recorded?.find((type) => type === 'MovingImage' || type === 'Sound') ??
    TYPES_BY_FORMAT.get(format ?? '') ??
    TYPES_BY_GENRE.get(genre ?? '')
  );
}

const MAX_DATES = 10;

/** Dates in W3CDTF, such as `1942-03`, which has no periods; and periods. */
export type MachineDates = ReturnType<typeof machineDates>;

/** A period. Without a start or an end, it is open. */
export type DatePeriod = ReturnType<typeof periodOf>;

/** Returns when a record's item was made. A period within one month or year also has that as its date. */
export const datesOfCreation = (record: ArchivalRecord) => machineDates(readRecordDates(record).stated);

/** Returns the periods that a record's item is about, from its chronology. */
export const datesCovered = (record: ArchivalRecord) => machineDates(readPeriods(record));

function machineDates(reading: DateReading | undefined) {
  const intervals = reading?.intervals ?? [];
  // A long list is given as the period that contains all of it.
  const isoDates = intervals.length > MAX_DATES ? [intervals] : intervals.map((interval) => [interval]);
  const all = new Set(reading ? isoDates.map((own) => toIso({ ...reading, intervals: own })) : []);
  const dates = [...all].flatMap((iso) => (iso.includes('/') ? (commonDate(iso) ?? []) : iso));
  const periods = [...all].filter((iso) => iso.includes('/')).map(periodOf);
  return { dates: [...new Set(dates)], periods };
}

function periodOf(iso: string) {
  const [start, end] = iso.split('/').map((bound) => (bound === '..' ? undefined : bound));
  return { start, end };
}

/** Returns the month or year that both ends of a period have in common. */
function commonDate(iso: string): string | undefined {
  const { start = '', end = '' } = periodOf(iso);
  return [7, 4].map((length) => start.slice(0, length)).find((date) => /^\d{4}(?:-\d\d)?$/.test(date) && end.startsWith(date));
}

/** Returns a period as ISO 8601-2 writes it: `1942/1945`, `1942/..`. */
export const isoPeriod = ({ start = '..', end = '..' }: DatePeriod): string => `${start}/${end}`;

/** Returns a period in the DCMI Period Encoding Scheme. */
export function dcmiPeriod({ start, end }: DatePeriod): string {
  return [start && `start=${start};`, end && `end=${end};`, 'scheme=W3C-DTF;'].filter(Boolean).join(' ');
}

function typeOfFile(mimetype: string | undefined, role?: string): DcmiType | undefined {
  const type = mimetype?.toLowerCase() ?? '';
  if (type.startsWith('video/')) return 'MovingImage';
  if (type.startsWith('audio/')) return 'Sound';
  if (type.startsWith('image/')) return 'StillImage';
  if (DATA_FILE.test(type)) return 'Dataset';
  return TEXT_FILE.test(type) || role === 'transcript' || role === 'gloss' ? 'Text' : undefined;
}

/** The elements of Dublin Core 1.1, in the order of its specification. */
export const DUBLIN_CORE_ELEMENTS = [
  'title',
  'creator',
  'subject',
  'description',
  'publisher',
  'contributor',
  'date',
  'type',
  'format',
  'identifier',
  'source',
  'language',
  'relation',
  'coverage',
  'rights',
] as const;

/** What the elements of a record need in addition to the record. */
export interface DublinCoreContext {
  /** As plain text. */
  title: string;
  liveUrl: string | undefined;
  collectionTitle: string | undefined;
  /** Maximum characters of one text. */
  maxLength: number;
}

/** Returns a record's elements. Values can be undefined, empty or repeated. Dates are without periods: see `datesOfCreation`. */
export function dublinCoreOf(
  record: ArchivalRecord,
  { title, liveUrl, collectionTitle, maxLength }: DublinCoreContext,
): Partial<Record<(typeof DUBLIN_CORE_ELEMENTS)[number], Array<string | undefined>>> {
  const plain = (html: string | undefined) => truncateWords(toPlainText(html), maxLength);
  const field = (name: string) => plain(text(record.raw[name]));
  return {
    title: [title],
    identifier: [record.id, liveUrl],
    creator: creatorNames(record, 'creator'),
    contributor: [...creatorNames(record, 'contributor'), institutionOf(record)],
    publisher: creatorNames(record, 'publisher'),
    subject: [...[...record.topics, ...record.facility].map(({ term }) => plain(term)), ...mentionedNames(record)],
    description: [plain(record.description)],
    date: datesOfCreation(record).dates,
    type: [dcmiType(record)],
    // The archive's own genre is the most precise word for the form of an item.
    format: [field('genre'), field('extent'), field('mimetype')],
    language: record.language.flatMap((code) => languageTag(code) ?? []),
    coverage: [...record.geography.map(({ term }) => plain(term)), field('location')],
    rights: [field('credit'), rightsTermsUrl(record)],
    relation: [collectionTitle],
  };
}
