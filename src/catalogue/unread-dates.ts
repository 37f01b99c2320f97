/** Lists the dates of records that no rule can read, so that an archive can correct them. */
import type { ObjectEntry } from './entries.ts';

/** A date that could not be read. Pages show its words; without a chronology, its records count as undated. */
export interface UnreadDate {
  /** The archive's own words. */
  text: string;
  /** IDs of the records. */
  records: string[];
}

/** Returns the dates that could not be read, those with the most records first. */
export function listUnreadDates(entries: ReadonlyArray<Pick<ObjectEntry, 'id' | 'unreadDate'>>): UnreadDate[] {
  const unread = new Map<string, string[]>();
  for (const { id, unreadDate } of entries) {
    if (unreadDate === undefined) continue;
    const records = unread.get(unreadDate) ?? [];
    records.push(id);
    unread.set(unreadDate, records);
  }
  return [...unread]
    .map(([text, records]) => ({ text, records }))
    .sort((a, b) => b.records.length - a.records.length || (a.text < b.text ? -1 : 1));
}
