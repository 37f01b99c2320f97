/** Finds what changed upstream: new, changed, restored and removed resources. */
import { RECORD_KINDS } from '../model/resources.ts';
import { readCount, selectTexts, sqlList, text, texts } from './rows.ts';
import { prepareStatement, type Store } from './store.ts';

/** Keys of the resources that changed (`object:demo-a-1`), each list sorted. */
export interface Changes {
  /** Received for the first time. */
  new: string[];
  /** Received again with a different body. */
  changed: string[];
  /** Restored: received again after it was marked as removed. */
  restored: string[];
  /** Marked as removed. */
  removed: string[];
}

/** Returns what changed at or after a time (ISO 8601 in UTC). */
export function changesSince(store: Store, since: string): Changes {
  const sql = `SELECT ${text('key')} FROM resource WHERE kind IN (${sqlList(RECORD_KINDS)}) AND removed_at >= ? ORDER BY key`;
  return { ...findReceived(store, 'p.fetched_at >= ?', since), removed: selectTexts(store.db, sql, since) };
}

/** Returns how many new, changed and restored resources one run received. */
export function countChangesInRun(store: Store, run: number): Record<'new' | 'changed' | 'restored', number> {
  const received = findReceived(store, 'p.run = ?', run);
  return { new: received.new.length, changed: received.changed.length, restored: received.restored.length };
}

function findReceived(store: Store, condition: string, value: string | number): Omit<Changes, 'removed'> {
  const keys: Record<'new' | 'changed' | 'restored', Set<string>> = { new: new Set(), changed: new Set(), restored: new Set() };
  const rows = prepareStatement(
    store,
    `SELECT ${texts('p.key', 'p.sha256')}, (SELECT ${text('q.sha256')} FROM response q WHERE q.key = p.key AND q.id < p.id ORDER BY q.id DESC LIMIT 1) AS before
    FROM response p JOIN resource r ON r.key = p.key WHERE r.kind IN (${sqlList(RECORD_KINDS)}) AND ${condition} ORDER BY p.id`,
  ).iterate(value);
  for (const { key, sha256, before } of rows) {
    if (before === null) keys.new.add(String(key));
    else if (!keys.new.has(String(key))) keys[before === sha256 ? 'restored' : 'changed'].add(String(key));
  }
  return { new: [...keys.new].sort(), changed: [...keys.changed].sort(), restored: [...keys.restored].sort() };
}

/** Returns the number of resources that are marked as removed. */
export function countRemoved(store: Store): number {
  return readCount(prepareStatement(store, 'SELECT count(*) AS count FROM resource WHERE removed_at IS NOT NULL').get());
}
