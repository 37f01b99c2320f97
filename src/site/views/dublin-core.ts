/** Dublin Core: a record's types in the DCMI Type Vocabulary, and its elements as lines for the head of a page. */
import { toIso } from '../../model/dates/coverage.ts';
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

/** Returns the dates of a record as W3CDTF and ISO 8601 write them: `1942-03`, or a period as `1942/1945`; of a list, each. */
export function isoDates(record: ArchivalRecord): string[] {
  const { reading } = readRecordDates(record);
  if (!reading) return [];
  if (reading.intervals.length > MAX_DATES) return [toIso(reading)];
  return [...new Set(reading.intervals.map((interval) => toIso({ ...reading, intervals: [interval] })))];
}

function typeOfFile(mimetype: string | undefined, role?: string): DcmiType | undefined {
  const type = mimetype?.toLowerCase() ?? '';
  if (type.startsWith('video/')) return 'MovingImage';
  if (type.startsWith('audio/')) return 'Sound';
  if (type.startsWith('image/')) return 'StillImage';
  if (DATA_FILE.test(type)) return 'Dataset';
  return TEXT_FILE.test(type) || role === 'transcript' || role === 'gloss' ? 'Text' : undefined;
}

/** Returns elements as `DC.title` and so on, each different value once. Empty values are left out. */
export function dublinCoreLines(elements: Record<string, Array<string | undefined>>): Array<[name: string, content: string]> {
  return Object.entries(elements).flatMap(([name, values]) =>
    [...new Set(values)].flatMap((value): Array<[string, string]> => (value ? [[`DC.${name}`, value]] : [])),
  );
}
