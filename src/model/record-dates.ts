/** Which of a record's fields say when it was made, and what they say. */
import { endOf, startOf } from './dates/calendar.ts';
import { hasTwoReadings, withoutOpenDays } from './dates/day-order.ts';
import { CERTAIN, intervalBetween } from './dates/interval.ts';
import { type DateReading, readDate, toReading } from './dates/read.ts';
import type { ArchivalRecord } from './records.ts';
import { toPlainText } from './text/text.ts';

type RecordDates = ReturnType<typeof readDates>;

const known = new WeakMap<ArchivalRecord, RecordDates>();

/** Returns the dates of a record, which are read once. */
export function readRecordDates(record: ArchivalRecord): RecordDates {
  const dates = known.get(record) ?? readDates(record);
  known.set(record, dates);
  return dates;
}

function readDates(record: ArchivalRecord) {
  const words = [record.creation, record.unitdateinclusive].map(toPlainText).find((text) => text !== '');
  const read = readCertain(words);
  const stated = typeof read === 'object' ? read : undefined;
  return {
    /** When it was made; if unreadable, its periods. Browsing, the timeline, search, sorting and metadata use this reading. */
    reading: stated ?? readPeriods(record),
    /** The same without its periods, which are what an item is about. Citations use it. */
    stated,
    /** The archive's own words, which pages show: the date of creation, or the inclusive dates of a finding aid. */
    words,
    /** Whether the words state a date that no rule can read. */
    isUnread: words !== undefined && read === undefined,
    /** Whether they have a day that could be two, so that only its year is read. */
    isAmbiguous: words !== undefined && hasTwoReadings(words),
  };
}

/** Returns the periods of a record's chronology. A period has a start and an end, or is named by its term. */
export function readPeriods({ chronology }: Pick<ArchivalRecord, 'chronology'>): DateReading | undefined {
  const intervals = chronology.flatMap(({ startdate, enddate, term }) => {
    const [start, end] = [readCertain(startdate), readCertain(enddate)];
    if (typeof start !== 'object' || saysItsDates({ term, startdate, enddate })) return readsAsDate(term);
    if (typeof end !== 'object') return start.intervals;
    const [first, last] = [start.intervals[0], end.intervals.at(-1)];
    if (first?.start === undefined || last?.end === undefined) return start.intervals;
    const points = [first.start, last.end].map((bound) => ({ start: bound, end: bound, edtf: bound }));
    return [intervalBetween([points[0], CERTAIN], [points[1], CERTAIN])];
  });
  return intervals.length === 0 ? undefined : toReading(intervals);
}

/** Whether the term of a period says its dates, so that these need not be repeated: “1960–1969”, from January 1, 1960. */
export function saysItsDates({ term, startdate, enddate }: ArchivalRecord['chronology'][number]): boolean {
  const said = readsAsDate(term);
  const [first, last] = [said[0]?.start, said.at(-1)?.end];
  const [start, end] = [readsAsDate(startdate)[0]?.start, readsAsDate(enddate).at(-1)?.end];
  if (said.length === 0 || start === undefined) return false;
  return isSaid(first && startOf(first), startOf(start)) && (end === undefined || isSaid(last && endOf(last), endOf(end)));
}

/** Whether a term says a bound, or leaves it open. January 1 and December 31 may stand for their year. */
function isSaid(said: string | undefined, bound: string): boolean {
  return said === undefined || said === bound || (/-(?:01-01|12-31)$/.test(bound) && said.slice(0, 4) === bound.slice(0, 4));
}

/** Reads what is certain of a date. */
export function readCertain(text: string | undefined): ReturnType<typeof readDate> {
  return readDate(withoutOpenDays(toPlainText(text)));
}

function readsAsDate(term: string | undefined): DateReading['intervals'] {
  const reading = readCertain(term);
  return typeof reading === 'object' ? reading.intervals : [];
}
