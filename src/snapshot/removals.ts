/** Detects removals after a harvest: resources that upstream had, and does not have any more. */
import { parentOf } from '../model/ancestors.ts';
import { isObjectId, parseId } from '../model/ids.ts';
import { objectIdInEntry } from '../model/lists.ts';
import { parseRecordLinks } from '../model/records.ts';
import { keyOf, RECORD_KINDS, type Resource } from '../model/resources.ts';
import { countFailedRuns, IS_MISSING_SQL, RUNS_UNTIL_DEAD, readPastRequests } from './dead-resources.ts';
import { pagesOfRun, purgedEntries } from './lists.ts';
import { parseBody, readBaseUrls, readBodyByKey } from './read.ts';
import { integers, readCount, sqlList, texts } from './rows.ts';
import { prepareStatement, runTransaction, type Store } from './store.ts';

/** Why a run skipped removal detection: too many of the resources from earlier runs failed. */
export interface RemovalSkipped {
  /** Known resources that failed in this run. */
  unseen: number;
  /** Resources that earlier runs stored and that this run requested. */
  known: number;
}

/**
 * Marks resources as removed if upstream did not have them in this run and in an earlier one, with no success in between. Returns
 * their keys. The response is then 404 or 410. Some services send 500 instead: then it must also send 404 for the record's files,
 * and the complete list of the parent must not name the record, so that no outage and no wall against robots removes an archive.
 * If more than the share `maxMissingShare` (0 to 1) of the known resources failed, dead ones aside, an outage is more likely.
 * Then nothing is marked, the run does not count for them, and the result has the numbers.
 */
export function markRemoved(
  store: Store,
  run: number,
  detectedAt: string,
  maxMissingShare: number,
): { removed: string[]; removalSkipped?: RemovalSkipped } {
  const count = (condition: string) =>
    readCount(
      prepareStatement(
        store,
        `SELECT count(*) AS count FROM resource r WHERE kind IN (${sqlList(RECORD_KINDS)}) AND removed_at IS NULL AND ${condition} AND run = ?1
        AND EXISTS (SELECT 1 FROM response p WHERE p.key = r.key AND (p.run IS NULL OR p.run < ?1))`,
      ).get(run),
    );
  const known = count('response IS NOT NULL');
  const unseen = count(`state = 'failed' AND failed_runs < ${RUNS_UNTIL_DEAD}`);
  if (unseen > maxMissingShare * known) {
    countFailedRuns(store, run, { onlyNeverStored: true });
    return { removed: [], removalSkipped: { unseen, known } };
  }
  const rows = prepareStatement(
    store,
    `SELECT ${texts('key', 'kind', 'name')}, ${integers('status', 'missing_since')}, response IS NOT NULL AS stored
    FROM resource WHERE run = ? AND attempts > 0 AND removed_at IS NULL AND ${IS_MISSING_SQL} ORDER BY key`,
  ).all(run);
  const isOutsideList = createListCheck(store, run, new Set(rows.map(({ key }) => String(key))));
  const missing = rows.filter(({ name, status, stored }) => stored === 0 || status !== 500 || isOutsideList(String(name)));
  const markMissing = prepareStatement(store, 'UPDATE resource SET missing_since = coalesce(missing_since, ?) WHERE key = ?');
  const markRemovedAt = prepareStatement(store, 'UPDATE resource SET removed_at = ? WHERE key = ?');
  const removed = missing.filter(({ stored, missing_since: since }) => stored === 1 && typeof since === 'number' && since < run);
  runTransaction(store.db, () => {
    for (const { key } of missing) markMissing.run(run, String(key));
    for (const { key } of removed) markRemovedAt.run(detectedAt, String(key));
    countFailedRuns(store, run);
  });
  return { removed: removed.map(({ key }) => String(key)) };
}

/** Returns a function that returns whether a record is in no list: its parent's is complete, or its parent is missing too. */
function createListCheck(store: Store, run: number, missingKeys: ReadonlySet<string>): (id: string) => boolean {
  const lists = new Map<string, Set<string> | undefined>();
  function entriesOf(list: Resource): Set<string> | undefined {
    const key = keyOf(list);
    if (!lists.has(key)) lists.set(key, readCompleteList(store, run, list));
    return lists.get(key);
  }
  const isMissing = (key: string) => missingKeys.has(key) || readPastRequests(store, key)?.isAbsent === true;
  return function isOutsideList(id: string): boolean {
    if (!isObjectId(id)) return false;
    const stored = readBodyByKey(store, `object:${id}`);
    const record = stored && parseRecordLinks(parseBody(stored));
    const parent = record?.id === id ? parentOf(record) : parseId(id).parent;
    if (parent === undefined) return true;
    const entries = entriesOf({ kind: parseId(id).model === 'file' ? 'files' : 'children', name: parent });
    if (entries) return !entries.has(id);
    return parent.length < id.length && isMissing(`object:${parent}`) && isOutsideList(parent);
  };
}

/**
 * Returns the IDs in a list that a run read completely; undefined if it did not: a page failed, or the last one names another
 * one. Without a total, the last page must say that it is the last, or be empty. Upstream's total counts purged records, too.
 */
function readCompleteList(store: Store, run: number, list: Resource): Set<string> | undefined {
  const baseUrls = readBaseUrls(store);
  const entries = new Set<string>();
  let total: number | undefined;
  let hasEnded = false;
  let hasMore = false;
  for (const { resource, page } of pagesOfRun(store, run, list)) {
    if (!page) return undefined;
    for (const item of page.items) entries.add(objectIdInEntry(item, baseUrls) ?? '');
    if (page.total !== undefined) total = Math.max(total ?? 0, page.total);
    hasEnded = page.isLast || (page.items.length === 0 && entries.size > 0);
    hasMore = page.items.length > 0 && (page.nextOffset ?? 0) > (resource.page?.offset ?? 0);
  }
  for (const id of purgedEntries(store, list)) entries.add(id);
  return !hasMore && (total === undefined ? hasEnded : entries.size >= total) ? entries : undefined;
}
