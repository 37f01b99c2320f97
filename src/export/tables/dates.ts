/** The reading of a record's date as columns: first and last day, EDTF, and how certain it is. */
import { endOf, startOf } from '../../model/dates/calendar.ts';
import type { DateInterval } from '../../model/dates/interval.ts';
import { readRecordDates } from '../../model/record-dates.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { toPlainText } from '../../model/text/text.ts';

/** How certain a date is, and what each word means. */
export const CERTAINTIES = {
  certain: 'as stated',
  approximate: '“circa” and the like',
  uncertain: '“probably”, “between … and …” and the like',
  'approximate and uncertain': 'both',
  undated: 'the words say that the item is undated',
  'not read': 'the words could not be read as a date',
} as const;

/** Returns the date of a record. */
export function readDateColumns(record: ArchivalRecord) {
  const { reading, words: shown, isUnread } = readRecordDates(record);
  const statedWords = shown === toPlainText(record.creation) ? toPlainText(record.statedCreation) : '';
  const words = statedWords || shown;
  const { intervals = [], edtf } = reading ?? {};
  const doubts = (['approximate', 'uncertain'] as const).filter((doubt) => intervals.some((interval) => interval[doubt]));
  const withoutReading = words === undefined ? undefined : isUnread ? 'not read' : 'undated';
  return {
    /** The archive's own words. */
    words,
    /** First day that the date can mean; undefined if it has no beginning. */
    start: outermost(intervals.map(firstDay), (a, b) => a < b),
    /** Last day that the date can mean; undefined if it has no end. */
    end: outermost(intervals.map(lastDay), (a, b) => a > b),
    edtf,
    /** One of `CERTAINTIES`; undefined for a record without a date. */
    certainty: reading ? doubts.join(' and ') || 'certain' : withoutReading,
  };
}

function firstDay({ start, excluded }: DateInterval): string | undefined {
  if (start === undefined) return undefined;
  return excluded === 'after' ? dayBeside(endOf(start), 1) : startOf(start);
}

function lastDay({ end, excluded }: DateInterval): string | undefined {
  if (end === undefined) return undefined;
  return excluded === 'before' ? dayBeside(startOf(end), -1) : endOf(end);
}

/** Returns the first or last of some days; undefined if there are none, or one of them is open. */
function outermost(days: ReadonlyArray<string | undefined>, precedes: (a: string, b: string) => boolean): string | undefined {
  if (days.length === 0 || days.includes(undefined)) return undefined;
  return (days as string[]).reduce((found, day) => (precedes(day, found) ? day : found));
}

const MS_PER_DAY = 86_400_000;

function dayBeside(day: string, step: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + step * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Returns the number of days from 1 January 1970 to a day. */
export const daysSince1970 = (day: string): number => Date.parse(`${day}T00:00:00Z`) / MS_PER_DAY;
