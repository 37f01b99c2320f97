/**
 * Dead resources: those for which upstream responds, harvest after harvest, as for what it does not have. Some services send HTTP
 * 500 for that (docs/upstream-api.md, “Errors”), so that one response does not show whether it is an outage.
 */
import { RECORD_KINDS } from '../model/resources.ts';
import { integers, readInteger, sqlList, texts } from './rows.ts';
import { prepareStatement, type Store } from './store.ts';

/** A resource is dead once it has failed so in this number of harvests in a row. */
export const RUNS_UNTIL_DEAD = 2;
/** After this number, it is requested once a week. */
export const RUNS_UNTIL_WEEKLY = 10;

/** SQL: whether upstream said in the last harvest that it has no files of this `resource` row's record, which it then lacks. */
const LACKS_FILES_SQL = `EXISTS (SELECT 1 FROM resource f WHERE f.kind = 'files' AND f.name = resource.name AND f.page_offset = 0
  AND f.run = resource.run AND f.state = 'failed' AND f.status IN (404, 410))`;

/** SQL: whether upstream said of the record in this row of `resource` that it does not have it. */
export const IS_MISSING_SQL = `kind IN (${sqlList(RECORD_KINDS)}) AND state = 'failed'
  AND (status IN (404, 410) OR (status = 500 AND kind = 'object' AND ${LACKS_FILES_SQL}))`;

/** Reads what the last requests for a resource ended with; undefined if it is unknown. */
export function readPastRequests(store: Store, key: string) {
  const row = prepareStatement(
    store,
    `SELECT ${integers('status', 'failed_runs')}, ${texts('cause', 'referrer')},
      missing_since IS NOT NULL AND (response IS NULL OR removed_at IS NOT NULL) AS absent FROM resource WHERE key = ?`,
  ).get(key);
  if (!row) return undefined;
  const { status, cause, failed_runs: runs, referrer, absent } = row;
  return {
    /** HTTP status of the last response; null if there was none. */
    status: typeof status === 'number' ? status : null,
    cause: typeof cause === 'string' ? cause : 'unknown',
    /** The harvests in a row in which it failed as if upstream did not have it. */
    failedRuns: typeof runs === 'number' ? runs : 0,
    /** Key of the resource that named it; null if the operator or the harvest itself did. */
    referrer: typeof referrer === 'string' ? referrer : null,
    /** Whether upstream said that it does not have the record, and the snapshot has none that may be removed. */
    isAbsent: absent === 1,
  };
}

/**
 * Counts the failures of a harvest that is complete, of all resources or of those that were never stored. Those of dead resources
 * are not transient, since an outage would have ended.
 */
export function countFailedRuns(store: Store, run: number, { onlyNeverStored = false } = {}): void {
  prepareStatement(
    store,
    `UPDATE resource SET failed_runs = iif(coalesce(status, 0) IN (404, 410, 500), min(failed_runs, 1000) + (attempts > 0), 0),
      transient = iif(status = 500 AND failed_runs >= ${RUNS_UNTIL_DEAD - 1}, 0, transient)
    WHERE run = ? AND state = 'failed' ${onlyNeverStored ? 'AND response IS NULL' : ''}`,
  ).run(run);
}

/** Returns whether resources that are requested once a week are requested in a harvest: it is the first one of a week. */
export function isFirstOfWeek(store: Store, run: number): boolean {
  const weeks = prepareStatement(
    store,
    `SELECT coalesce(CAST(unixepoch(started_at) / 604800 AS INTEGER), 0) AS week FROM run WHERE id <= ? ORDER BY id DESC LIMIT 2`,
  )
    .all(run)
    .map((row) => readInteger(row, 'week'));
  return weeks[0] !== weeks[1];
}
