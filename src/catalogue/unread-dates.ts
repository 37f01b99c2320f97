/** Lists the dates of records that no rule can read, so that an archive can correct them. */
import { readDate } from '../model/dates/read.ts';
import type { ObjectEntry } from './entries.ts';

/** A date that could not be read. Its records count as undated, and show these words. */
export interface UnreadDate {
  /** The archive's own words. */
  text: string;
  /** IDs of the records. */
  records: string[];
}

/** Returns the dates that could not be read, those with the most records first. */
export function listUnreadDates(entries: ReadonlyArray<Pick<ObjectEntry, 'id' | 'date'>>): UnreadDate[] {
  const unread = new Map<string, string[]>();
  const isUnread = new Map<string, boolean>();
  for (const { id, date } of entries) {
    if (date === undefined) continue;
    const known = isUnread.get(date) ?? readDate(date) === undefined;
    isUnread.set(date, known);
    if (!known) continue;
    const records = unread.get(date) ?? [];
    records.push(id);
    unread.set(date, records);
  }
  return [...unread]
    .map(([text, records]) => ({ text, records }))
    .sort((a, b) => b.records.length - a.records.length || (a.text < b.text ? -1 : 1));
}
