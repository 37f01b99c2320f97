/** The view model of the records of each day of the year, from which the browser of a reader chooses those of today. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import { hasTwoReadings } from '../../../model/dates/day-order.ts';
import { readDate } from '../../../model/dates/read.ts';
import { truncateWords } from '../../../model/text/text.ts';
import { isUntitled } from '../../fields/record-title.ts';
import type { Site } from '../../site.ts';
import { textLang } from '../../text/text-lang.ts';

/** Limits the size of the page. */
const [MAX_PER_DAY, MAX_RECORDS] = [3, 400];
const MAX_TITLE_LENGTH = 80;

/** Creates an empty list of the records of days, which are collected from all records one by one. */
export function createDayRecords(site: Site) {
  const byDay = new Map<string, Array<ReturnType<typeof createDayRecord>>>();
  return {
    add(entry: ListedEntry) {
      const day = dayOf(entry.date);
      if (day === undefined || entry.date === undefined || isUntitled(entry)) return;
      const records = byDay.get(day) ?? [];
      byDay.set(day, records);
      if (records.length < MAX_PER_DAY) records.push(createDayRecord(entry, day, entry.date, site));
    },
    /** Returns the records by day. Each day has its first record before any day has its second one. */
    list() {
      const ranked = [...byDay.values()].flatMap((records) => records.map((record, rank) => ({ record, rank })));
      return ranked
        .sort((a, b) => a.rank - b.rank || (a.record.day < b.record.day ? -1 : 1))
        .slice(0, MAX_RECORDS)
        .sort((a, b) => (a.record.day === b.record.day ? a.rank - b.rank : a.record.day < b.record.day ? -1 : 1))
        .map(({ record }) => record);
    },
  };
}

function createDayRecord(entry: ListedEntry, day: string, date: string, site: Site) {
  return {
    day,
    path: objectPath(entry.id),
    title: truncateWords(entry.title, MAX_TITLE_LENGTH),
    /** The title's language, if it is not the page's: a BCP 47 tag. */
    lang: textLang(entry.title, site, entry),
    date: site.locale.formatRecordDate(date),
  };
}

/** Returns month and day of a date that is certain to be one day. */
function dayOf(date: string | undefined): string | undefined {
  if (date === undefined || !/\d/.test(date) || hasTwoReadings(date)) return undefined;
  const reading = readDate(date);
  return typeof reading === 'object' ? /^\d{4}-(\d\d-\d\d)$/.exec(reading.edtf)?.[1] : undefined;
}
