/** Finds what changed upstream: new, changed, restored and removed resources. Detects removals. */
import { RECORD_KINDS } from '../model/resources.ts';
import { readInteger, text, texts } from './rows.ts';
import { prepareStatement, runTransaction, type Store } from './store.ts';

/** Keys of the resources that changed (`object:demo-a-1`), each list sorted. */
export interface Changes {
  /** Received for the first time. */
  new: string[];
  /** Received again with a different body. */
  changed: string[];
  /** Restored: received again after it was marked as removed. */
  returned: string[];
  /** Marked as removed. */
  gone: string[];
}

const RECORD_KINDS_SQL = RECORD_KINDS.map((kind) => `'${kind}'`).join(', ');

/** Returns what changed at or after a time (ISO 8601 in UTC). */
export function changesSince(store: Store, since: string): Changes {
  const removed = prepareStatement(
    store,
    `SELECT ${text('key')} FROM resource WHERE kind IN (${RECORD_KINDS_SQL}) AND gone_at >= ? ORDER BY key`,
  ).all(since);
  return { ...findReceived(store, 'p.fetched_at >= ?', since), gone: removed.map((row) => String(row['key'])) };
}

/** Returns which new, changed and restored resources one run received. */
export function changesInRun(store: Store, run: number): Omit<Changes, 'gone'> {
  return findReceived(store, 'p.run = ?', run);
}

function findReceived(store: Store, condition: string, value: string | number): Omit<Changes, 'gone'> {
  const keys: Record<'new' | 'changed' | 'returned', Set<string>> = { new: new Set(), changed: new Set(), returned: new Set() };
  const rows = prepareStatement(
    store,
    `SELECT ${texts('p.key', 'p.sha256')}, (SELECT ${text('q.sha256')} FROM response q WHERE q.key = p.key AND q.id < p.id ORDER BY q.id DESC LIMIT 1) AS before
    FROM response p JOIN resource r ON r.key = p.key WHERE r.kind IN (${RECORD_KINDS_SQL}) AND ${condition} ORDER BY p.id`,
  ).iterate(value);
  for (const { key, sha256, before } of rows) {
    if (before === null) keys.new.add(String(key));
    else if (!keys.new.has(String(key))) keys[before === sha256 ? 'returned' : 'changed'].add(String(key));
  }
  return { new: [...keys.new].sort(), changed: [...keys.changed].sort(), returned: [...keys.returned].sort() };
}

/** Returns the number of resources that are marked as removed. */
export function countRemoved(store: Store): number {
  return readInteger(prepareStatement(store, 'SELECT count(*) AS count FROM resource WHERE gone_at IS NOT NULL').get(), 'count');
}

/** Why a run skipped removal detection: too many of the resources from earlier runs failed. */
export interface RemovalSkipped {
  /** Known resources that failed in this run. */
  unseen: number;
  /** Resources that earlier runs stored and that this run requested. */
  known: number;
}

/**
 * Marks resources as removed if upstream responded 404 or 410 in this run and in an earlier one, with no success in between. Returns their
 * keys. If more than the share `maxMissingShare` (0 to 1) of the known resources failed in this run, an upstream outage is more likely. Then
 * nothing is marked, this run does not count as the first of the two, and the result has the numbers.
 */
export function markRemoved(
  store: Store,
  run: number,
  detectedAt: string,
  maxMissingShare: number,
): { gone: string[]; doubt?: RemovalSkipped } {
  const count = (condition: string) =>
    readInteger(
      prepareStatement(
        store,
        `SELECT count(*) AS count FROM resource r WHERE kind IN (${RECORD_KINDS_SQL}) AND gone_at IS NULL AND ${condition} AND run = ?1
        AND EXISTS (SELECT 1 FROM response p WHERE p.key = r.key AND (p.run IS NULL OR p.run < ?1))`,
      ).get(run),
      'count',
    );
  const known = count('response IS NOT NULL');
  const unseen = count(`state = 'failed'`);
  if (unseen > maxMissingShare * known) return { gone: [], doubt: { unseen, known } };
  const missing = `kind IN (${RECORD_KINDS_SQL}) AND response IS NOT NULL AND gone_at IS NULL AND state = 'failed' AND status IN (404, 410) AND run = ?1`;
  return runTransaction(store.db, () => {
    const removed = prepareStatement(store, `SELECT key FROM resource WHERE missing_since < ?1 AND ${missing} ORDER BY key`).all(
      run,
    );
    prepareStatement(store, `UPDATE resource SET gone_at = ?2 WHERE missing_since < ?1 AND ${missing}`).run(run, detectedAt);
    prepareStatement(store, `UPDATE resource SET missing_since = ?1 WHERE missing_since IS NULL AND ${missing}`).run(run);
    return { gone: removed.map((row) => String(row['key'])) };
  });
}
