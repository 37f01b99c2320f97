/** Lists the dates of records that no rule can read, or that could be two days, so that an archive can correct them. */
import { hasTwoReadings } from '../../model/dates/day-order.ts';

/** A date that could not be read (without a chronology, its records count as undated), or is certain only in its year. */
export type UnreadDate = ReturnType<typeof listUnreadDates>[number];

/** Returns the dates that could not be read, those with the most records first. */
export function listUnreadDates(records: Iterable<{ id: string; unreadDate: string }>) {
  return [...Map.groupBy(records, ({ unreadDate }) => unreadDate)]
    .map(([text, of]) => ({
      /** The archive's own words. */
      text,
      records: of.map(({ id }) => id),
      /** Whether it could be two days: “3/4/1942”. */
      ...(hasTwoReadings(text) ? { isAmbiguous: true as const } : {}),
    }))
    .sort((a, b) => b.records.length - a.records.length || (a.text < b.text ? -1 : 1));
}
