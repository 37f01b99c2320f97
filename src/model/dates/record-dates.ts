/** Which of a record's fields say when it was made, and what they say. */
import type { ArchivalRecord } from '../records.ts';
import { toPlainText } from '../text.ts';
import { text as readText } from '../values.ts';
import { intervalBetween } from './interval.ts';
import { type DateReading, readDate, toReading } from './read.ts';

/** The dates of a record. */
export interface RecordDates {
  /** Undefined if the record has no date, or none that can be read. */
  reading: DateReading | undefined;
  /** The archive's own words, which pages show; undefined if the record has none. */
  words: string | undefined;
  /** Whether the words state a date that no rule can read. */
  isUnread: boolean;
}

type DatedRecord = Pick<ArchivalRecord, 'creation' | 'chronology' | 'raw'>;

/**
 * Returns the dates of a record: from the date of creation, or the inclusive dates of a finding aid; if these cannot be read, from the periods
 * of its chronology. Browsing, the timeline, search, sorting, citations and metadata all use this reading.
 */
export function readRecordDates(record: DatedRecord): RecordDates {
  const words = [record.creation, readText(record.raw['unitdateinclusive'])].map(toPlainText).find((text) => text !== '');
  const stated = readDate(words);
  if (typeof stated === 'object') return { reading: stated, words, isUnread: false };
  return { reading: readChronology(record), words, isUnread: words !== undefined && stated === undefined };
}

/** A period has a start and an end, or is named by its term. */
function readChronology({ chronology }: DatedRecord): DateReading | undefined {
  const intervals = chronology.flatMap(({ startdate, enddate, term }) => {
    const [start, end] = [readDate(toPlainText(startdate)), readDate(toPlainText(enddate))];
    if (typeof start !== 'object') return readsAsDate(term);
    if (typeof end !== 'object') return start.intervals;
    const [first, last] = [start.intervals[0], end.intervals.at(-1)];
    return first?.start !== undefined && last?.end !== undefined ? [spanOf(first.start, last.end)] : start.intervals;
  });
  return intervals.length === 0 ? undefined : toReading(intervals);
}

function readsAsDate(term: string | undefined): DateReading['intervals'] {
  const reading = readDate(toPlainText(term));
  return typeof reading === 'object' ? reading.intervals : [];
}

function spanOf(start: string, end: string): DateReading['intervals'][number] {
  const certain = { approximate: false, uncertain: false };
  return intervalBetween([{ start, end: start, edtf: start }, certain], [{ start: end, end, edtf: end }, certain]);
}
