/** Dublin Core: a record's types in the DCMI Type Vocabulary, and its elements as lines for the head of a page. */
import { toIso } from '../../model/dates/coverage.ts';
import type { DateReading } from '../../model/dates/read.ts';
import { readRecordDates } from '../../model/dates/record-dates.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { text } from '../../model/values.ts';

/** The terms of the DCMI Type Vocabulary that records have. */
export type DcmiType = 'Collection' | 'Dataset' | 'MovingImage' | 'PhysicalObject' | 'Sound' | 'StillImage' | 'Text';

const TYPES_BY_FORMAT: Readonly<Record<string, DcmiType>> = { vh: 'MovingImage', img: 'StillImage', doc: 'Text', ds: 'Dataset' };
/** Genres (docs/upstream-api.md, “Codes”) for items whose format does not decide. */
const TYPES_BY_GENRE: ReadonlyMap<string, DcmiType> = new Map(
  Object.entries({
    StillImage:
      'album architecture baseball_card cartoon cityscape drawing illustration landscape map painting photograph portrait postcard poster print',
    Text: 'advertisement blank_form book broadside catalog clipping correspondence diary ephemera essay ethnography fieldnotes leaflet manuscript misc_document narrative pamphlet periodical petition poetry program rec_log score sheet_music timetable transcription',
    MovingImage: 'motion_picture',
    Sound: 'music',
    PhysicalObject: 'physical_object',
  }).flatMap(([type, genres]) => genres.split(' ').map((genre) => [genre, type as DcmiType] as const)),
);
const TEXT_FILE =
  /^(?:text\/|application\/(?:pdf|rtf|msword|xhtml|epub|vnd\.(?:oasis\.opendocument\.text|openxmlformats.*wordprocessing)))/;
const DATA_FILE =
  /^(?:text\/csv|application\/(?:json|vnd\.(?:ms-excel|oasis\.opendocument\.spreadsheet|openxmlformats.*spreadsheet)))/;

/** Returns the type of a record; undefined if no term is certain to fit, as for organizations. */
export function dcmiType({ model, genre, format, ia_meta: media, raw }: ArchivalRecord): DcmiType | undefined {
  if (model === 'collection') return 'Collection';
  if (model === 'repository' || model === 'organization') return undefined;
  if (model === 'file') return typeOfFile(text(raw['mimetype']), text(raw['role']));
  if (genre === 'physical_object') return 'PhysicalObject';
  const recorded = media && [media.mimetype, ...media.files.map(({ mimetype }) => mimetype)].map((type) => typeOfFile(type));
  return (
    recorded?.find((type) => type === 'MovingImage' || type === 'Sound') ??
    TYPES_BY_FORMAT[format ?? ''] ??
    TYPES_BY_GENRE.get(genre ?? '')
  );
}

const MAX_DATES = 10;

/** Dates in W3CDTF, such as `1942-03`, which has no periods; and periods. */
export interface MachineDates {
  dates: string[];
  periods: DatePeriod[];
}

/** A period. Without a start or an end, it is open. */
export interface DatePeriod {
  start: string | undefined;
  end: string | undefined;
}

/** Returns when a record's item was made. A period within one month or year also has that as its date. */
export function datesOfCreation(record: ArchivalRecord): MachineDates {
  return machineDates(readRecordDates({ ...record, chronology: [] }).reading);
}

/** Returns the periods that a record's item is about, from its chronology. */
export function datesCovered({ chronology }: ArchivalRecord): MachineDates {
  return machineDates(readRecordDates({ creation: undefined, chronology, raw: {} }).reading);
}

function machineDates(reading: DateReading | undefined): MachineDates {
  const intervals = reading?.intervals ?? [];
  // A long list is given as the period that contains all of it.
  const isoDates = intervals.length > MAX_DATES ? [intervals] : intervals.map((interval) => [interval]);
  const all = new Set(reading ? isoDates.map((own) => toIso({ ...reading, intervals: own })) : []);
  const dates = [...all].flatMap((iso) => (iso.includes('/') ? (commonDate(iso) ?? []) : iso));
  const periods = [...all].filter((iso) => iso.includes('/')).map(periodOf);
  return { dates: [...new Set(dates)], periods };
}

function periodOf(iso: string): DatePeriod {
  const [start, end] = iso.split('/').map((bound) => (bound === '..' ? undefined : bound));
  return { start, end };
}

/** Returns the month or year that both ends of a period have in common. */
function commonDate(iso: string): string | undefined {
  const { start = '', end = '' } = periodOf(iso);
  return [7, 4].map((length) => start.slice(0, length)).find((date) => /^\d{4}(?:-\d\d)?$/.test(date) && end.startsWith(date));
}

/** Returns a period as ISO 8601-2 writes it: `1942/1945`, `1942/..`. */
export function isoPeriod({ start = '..', end = '..' }: DatePeriod): string {
  return `${start}/${end}`;
}

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

/** A line in the head of a page: `DC.title`, its content, and the scheme in which it is encoded, if it is not plain. */
export type DublinCoreLine = [name: string, content: string, scheme?: string];

/** Returns elements as `DC.title` and so on, each different value once. Empty values are left out. */
export function dublinCoreLines(elements: Record<string, Array<string | undefined>>): DublinCoreLine[] {
  return Object.entries(elements).flatMap(([name, values]) =>
    [...new Set(values)].flatMap((value): DublinCoreLine[] => (value ? [[`DC.${name}`, value]] : [])),
  );
}

/** Returns periods as lines of a term, such as `DCTERMS.created`. */
export function periodLines(term: 'created' | 'temporal', periods: readonly DatePeriod[]): DublinCoreLine[] {
  return periods.map((period) => [`DCTERMS.${term}`, dcmiPeriod(period), 'DCTERMS.Period']);
}
