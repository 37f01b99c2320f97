/** The order in which an archive writes days in numbers, from the records that show it; and the records that are read with it. */
import type { DatabaseSync } from 'node:sqlite';
import { commonDayOrder, type DayOrder } from '../../model/dates/day-order.ts';
import { parseListed } from './record-rows.ts';

/** Returns the order of days that the records in a catalogue file show; undefined if they show none, or do not agree. */
export function readDayOrder(db: DatabaseSync): DayOrder | undefined {
  const counts = { 'month-first': 0, 'day-first': 0, open: 0 };
  const rows = db.prepare('SELECT day_order, count(*) AS n FROM record WHERE day_order IS NOT NULL GROUP BY day_order').all();
  for (const { day_order: order, n } of rows) counts[order as keyof typeof counts] = Number(n);
  return commonDayOrder(counts);
}

/** Returns the IDs of the records that were read with another order than `order`, or without one, and may depend on it. */
export function listReadOtherwise(db: DatabaseSync, order: DayOrder | undefined): string[] {
  const rows = db.prepare("SELECT id, listed FROM record WHERE day_order = 'open' ORDER BY id").all();
  return rows.filter(({ listed }) => parseListed(listed).dayOrder !== order).map(({ id }) => String(id));
}
