/** Reads when the stored records were received and removed, without their bodies. */
import { MODELS } from '../model/ids.ts';
import { isMoment, texts } from './rows.ts';
import type { Store } from './store.ts';

/**
 * Yields when each stored record, except withheld ones, was received and when it was marked as removed, as ISO 8601 in UTC;
 * sorted by ID. The model is that which the record states.
 */
export function* readBodyTimes({ db, filter }: Store) {
  const rows = db
    .prepare(
      `SELECT ${texts('r.name', 'r.model', 'r.removed_at', 'p.fetched_at', 'r.checked_at')}
      FROM resource r JOIN response p ON p.id = r.response WHERE r.kind = 'object' ORDER BY r.name`,
    )
    .iterate();
  const now = new Date().toISOString();
  for (const { name, model, removed_at: removedAt, fetched_at, checked_at: checkedAt } of rows) {
    // A time in the future comes from a wrong clock. The record has been confirmed since.
    const fetchedAt = String(fetched_at) > now && isMoment(checkedAt) ? checkedAt : fetched_at;
    if (typeof name !== 'string' || !isMoment(fetchedAt) || filter?.hides('object', name)) continue;
    const known = MODELS.find((one) => one === model);
    yield { id: name, model: known, fetchedAt, removedAt: isMoment(removedAt) ? removedAt : undefined };
  }
}
