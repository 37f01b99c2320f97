/** Writes what a harvest produces: the crawl frontier and its outcomes, each batch in one transaction. */
import { hash } from 'node:crypto';
import { isFileRole } from '../model/ids.ts';
import { keyOf, RECORD_KINDS, type Resource, type ResourceKind } from '../model/resources.ts';
import type { UpstreamResponse } from '../model/response.ts';
import { createExchangeWriter } from './exchanges.ts';
import { isResourceKind, RESOURCE, readCount, readInteger, resourceRow, sqlList, text } from './rows.ts';
import { runTransaction, type Store, writeMeta } from './store.ts';
import { createRedactionMarker, readWithdrawn } from './withdrawn.ts';

/** A resource that a response names, to be fetched. */
export interface DiscoveredResource extends Resource {
  /** The entry of the list that named it. Not stored in the frontier. */
  listEntry?: Record<string, unknown>;
}

/** The result of fetching one resource, and the resources discovered in it. */
export interface Outcome {
  resource: Resource;
  attempts: number;
  received?: UpstreamResponse;
  /** The stored body is current: upstream confirmed it at `checkedAt` (ISO 8601), or a list entry did (no `checkedAt`). */
  unchanged?: { status: number | undefined; checkedAt: string | undefined };
  /** The model of a record; only for the kind `object`. */
  model?: string | undefined;
  /** `transient`: a later request may succeed. `reported`: the failure of a speculative request counts like any other. */
  failure?: { status: number | undefined; cause: string; transient: boolean; reported?: boolean };
  /** It does not belong to this archive, was not requested and is not stored. */
  foreign?: true;
  discovered: DiscoveredResource[];
}

/** Writes to the snapshot during one run of a harvest. */
export type HarvestWriter = ReturnType<typeof openWriter>;

/** Options of `openWriter`. */
export interface WriterOptions {
  /** `resume` resumes even a finished run; `restart` always starts a new one. Default: resumes only an interrupted run. */
  start?: 'resume' | 'restart';
  /** Returns whether a resource is in the scope of this run. By default, all are. */
  includes?: ((resource: Resource) => boolean) | undefined;
}

/** Maximum keys that are remembered to avoid queries. */
const MAX_REMEMBERED_KEYS = 20_000;

/** SQL: the row of a record. */
const IS_RECORD_SQL = `kind IN (${sqlList(RECORD_KINDS)})`;

/** SQL: the first page of a list, which may be requested speculatively because its record failed. */
const IS_SPECULATIVE_LIST_SQL = `(kind IN ('children', 'files') AND page_offset = 0)`;

/** SQL: what a success sets. */
const NOT_FAILED_SQL = 'failed_since = NULL, failed_runs = 0, missing_since = NULL, removed_at = NULL';

/** Returns whether a resource belongs to a file role: a level of the IDs that has no records and no lists. */
function belongsToFileRole({ kind, name }: Resource): boolean {
  return (kind === 'object' || kind === 'children' || kind === 'files') && isFileRole(name);
}

/** Opens a writer. Resumes the last run if it was interrupted; otherwise starts a new one. `start` can override this. */
export function openWriter(store: Store, now: () => string, { start, includes }: WriterOptions = {}) {
  const { db } = store;
  const lastRun = db.prepare(`SELECT id, finished_at IS NULL AS open FROM run ORDER BY id DESC LIMIT 1`).get();
  const isResumed = lastRun !== undefined && start !== 'restart' && (start === 'resume' || readInteger(lastRun, 'open') === 1);
  // An interrupted run that is not resumed counts as finished.
  if (!isResumed) db.prepare('UPDATE run SET finished_at = ? WHERE finished_at IS NULL').run(now());
  const runId = isResumed
    ? readInteger(lastRun, 'id')
    : Number(db.prepare('INSERT INTO run (started_at) VALUES (?)').run(now()).lastInsertRowid);
  if (isResumed) db.prepare('UPDATE run SET finished_at = NULL WHERE id = ?').run(runId);

  const withdrawn = readWithdrawn(store);
  const isEmpty = db.prepare('SELECT 1 FROM response LIMIT 1').get() === undefined;
  /** Keys that this run has already discovered. This saves queries, since most records name the same few ancestors. */
  const visitedKeys = new Set<string>();
  const queue =
    db.prepare(`INSERT INTO resource (key, kind, name, page_limit, page_offset, referrer, state, run, speculative) VALUES (?, ?, ?, ?, ?, ?, 'queued', ?, ?)
    ON CONFLICT (key) DO UPDATE SET state = 'queued', run = excluded.run, attempts = 0,
      speculative = excluded.speculative, referrer = coalesce(resource.referrer, excluded.referrer)
    WHERE resource.run <> excluded.run`);
  const setReferrer = db.prepare('UPDATE resource SET speculative = 0, referrer = ? WHERE key = ? AND speculative = 1');
  let hasSpeculative = db.prepare('SELECT 1 FROM resource WHERE speculative = 1 LIMIT 1').get() !== undefined;
  const selectLatest = db.prepare(
    'SELECT p.id, p.sha256, r.removed_at IS NOT NULL AS removed FROM resource r JOIN response p ON p.id = r.response WHERE r.key = ?',
  );
  const insertBody = db.prepare(
    'INSERT INTO response (key, url, fetched_at, status, headers, sha256, body, run, redirects) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const deleteUnstored = db.prepare('DELETE FROM resource WHERE key = ? AND response IS NULL');
  const insertWithdrawn = db.prepare('INSERT OR IGNORE INTO withdrawn (key, withdrawn_at, reason) VALUES (?, ?, ?)');
  const markRedacted = createRedactionMarker(db);
  const markStored = db.prepare(
    `UPDATE resource SET state = 'stored', attempts = ?, status = ?, cause = NULL, transient = 0, response = ?, model = ?, validators = ?, checked_at = ?, ${NOT_FAILED_SQL} WHERE key = ?`,
  );
  const markConfirmed = db.prepare(
    `UPDATE resource SET state = 'stored', attempts = ?, status = ?, cause = NULL, transient = 0, checked_at = coalesce(?, checked_at), ${NOT_FAILED_SQL} WHERE key = ?`,
  );
  const markFailed = db.prepare(
    `UPDATE resource SET state = 'failed', attempts = ?, status = ?, cause = ?, transient = ?, checked_at = NULL,
      failed_since = coalesce(failed_since, ?) WHERE key = ?`,
  );
  const writeExchanges = createExchangeWriter(db);
  const unmarkSpeculative = db.prepare('UPDATE resource SET speculative = 0 WHERE key = ?');
  const selectQueued = db.prepare(`SELECT ${text('key')}, ${RESOURCE} FROM resource WHERE state = 'queued' AND run = ?`);

  function add(found: DiscoveredResource[], referrer: string | undefined): DiscoveredResource[] {
    return found.filter((resource) => {
      if (belongsToFileRole(resource) || withdrawn.has(resource) || includes?.(resource) === false) return false;
      const key = keyOf(resource);
      const { kind, name, page, speculative = false } = resource;
      if (visitedKeys.has(key) && !hasSpeculative) return false;
      if (visitedKeys.size >= MAX_REMEMBERED_KEYS) visitedKeys.clear();
      visitedKeys.add(key);
      const isNew =
        queue.run(key, kind, name, page?.limit ?? null, page?.offset ?? null, referrer ?? null, runId, speculative ? 1 : 0)
          .changes > 0;
      if (speculative) hasSpeculative = true;
      else if (!isNew && hasSpeculative) setReferrer.run(referrer ?? null, key); // a speculative resource that is now named
      return isNew;
    });
  }

  function applyOutcome({ resource, attempts, received, unchanged, failure, model }: Outcome): void {
    const key = keyOf(resource);
    if (received) {
      const redacted = withdrawn.redact(resource.kind, received);
      const sha256 = hash('sha256', redacted?.body ?? received.body);
      const latest = isEmpty ? undefined : selectLatest.get(key);
      const { url, fetchedAt, status, headers, body, redirects } = { ...received, ...redacted };
      const redirectsJson = redirects.length > 0 ? JSON.stringify(redirects) : null;
      const values = [key, url, fetchedAt, status, JSON.stringify(headers), sha256, body, runId, redirectsJson] as const;
      const isSame = latest?.['sha256'] === sha256 && latest['removed'] === 0;
      const id = isSame ? readInteger(latest, 'id') : insertBody.run(...values).lastInsertRowid;
      if (!isSame) writeExchanges({ response: id }, received.exchanges);
      if (redacted) markRedacted(id, now(), received.body);
      markStored.run(attempts, status, id, model ?? null, readValidators(headers), fetchedAt, key);
    } else if (unchanged) {
      markConfirmed.run(attempts, unchanged.status ?? null, unchanged.checkedAt ?? null, key);
    } else {
      const { status = null, cause = 'unknown', transient = false } = failure ?? {};
      markFailed.run(attempts, status, cause, transient ? 1 : 0, now(), key);
      if (failure?.reported) unmarkSpeculative.run(key);
    }
  }

  /** Marks a resource that belongs to a purged record as purged, so that neither this nor a later run stores it. */
  function removeFromFrontier(resource: Resource): void {
    withdrawn.add(resource);
    deleteUnstored.run(keyOf(resource));
    insertWithdrawn.run(keyOf(resource), now(), 'It belongs to a purged record.');
  }

  const requeue = `UPDATE resource SET state = 'queued', run = ${runId}, attempts = 0`;

  /** Runs a statement on the rows that match a condition and are in the scope of this run. Returns their number. */
  function changeWithinScope(condition: string, change: string): number {
    if (!includes) return Number(db.prepare(`${change} WHERE ${condition}`).run().changes);
    const changeOne = db.prepare(`${change} WHERE key = ?`);
    const rows = db.prepare(`SELECT kind, name, key FROM resource WHERE ${condition}`).all();
    const inScope = rows.filter(({ kind, name }) => isResourceKind(kind) && includes({ kind, name: String(name) }));
    return runTransaction(db, () => inScope.reduce((count, row) => count + Number(changeOne.run(String(row['key'])).changes), 0));
  }

  return {
    /** ID of the run that this writer's rows belong to. */
    runId,
    isResumed,
    /** Whether the snapshot had no bodies when the writer was opened, so that no response can be compared with an earlier one. */
    isEmpty,
    setMeta: (key: string, value: string) => writeMeta(db, key, value),
    /** Adds resources to the frontier, except known or purged ones and those outside the run's scope. Returns the added ones. */
    enqueue: (found: DiscoveredResource[], referrer?: string) => runTransaction(db, () => add(found, referrer)),
    /** Stores outcomes and enqueues the resources discovered in them, in one transaction. Returns those new to this run. */
    commitOutcomes: (outcomes: Outcome[]) =>
      runTransaction(db, () =>
        outcomes.flatMap((outcome) => {
          if (outcome.foreign) {
            visitedKeys.delete(keyOf(outcome.resource));
            deleteUnstored.run(keyOf(outcome.resource));
            return [];
          }
          if (outcome.received && withdrawn.claimsBody(outcome.resource, outcome.received)) {
            removeFromFrontier(outcome.resource);
            return [];
          }
          applyOutcome(outcome);
          return add(outcome.discovered, keyOf(outcome.resource));
        }),
      ),
    /** Returns up to `limit` resources of some kinds from the frontier, without those whose keys the caller has buffered. */
    readQueued(kinds: readonly ResourceKind[], limit: number, bufferedKeys: { has(key: string): boolean }) {
      const found: Resource[] = [];
      for (const row of selectQueued.iterate(runId)) {
        const resource = resourceRow(row);
        // The outcome of a row with a wrong key would never reach this row.
        if (!resource || row['key'] !== keyOf(resource)) continue;
        if (!kinds.includes(resource.kind) || bufferedKeys.has(keyOf(resource))) continue;
        found.push(resource);
        if (found.length >= limit) break;
      }
      return found;
    },
    countQueued: () =>
      readCount(db.prepare(`SELECT count(*) AS count FROM resource WHERE state = 'queued' AND run = ?`).get(runId)),
    /** Returns the number of records that this run, or one that it resumes, has fetched or confirmed. */
    countRecords: () =>
      readCount(
        db.prepare(`SELECT count(*) AS count FROM resource WHERE state = 'stored' AND run = ? AND ${IS_RECORD_SQL}`).get(runId),
      ),
    /** Adds all resources that earlier runs stored and this run has not discovered to the frontier. Returns their number. */
    enqueueUnvisited: () => changeWithinScope(`run <> ${runId} AND response IS NOT NULL AND ${IS_RECORD_SQL}`, requeue),
    /** Queues failed resources again: all, or those of this run whose failure is transient. Returns their number. */
    requeueFailed(which: 'all' | 'transient') {
      // When the record is fetched, it determines again which of its lists are requested.
      if (which === 'all')
        db.exec(
          `DELETE FROM resource WHERE state = 'failed' AND speculative = 1 AND response IS NULL AND ${IS_SPECULATIVE_LIST_SQL}`,
        );
      return changeWithinScope(
        `state = 'failed' AND (speculative = 0 OR ${IS_SPECULATIVE_LIST_SQL}) AND removed_at IS NULL AND (${which === 'all'} OR (transient = 1 AND run = ${runId}))`,
        requeue,
      );
    },
    /** Deletes resources discovered, but not stored, by earlier runs and not discovered now: nothing names them any more. */
    pruneUnreferenced: () => void changeWithinScope(`run <> ${runId} AND response IS NULL`, 'DELETE FROM resource'),
    /** Ends the run with its report. */
    finish: (report: unknown) =>
      db.prepare('UPDATE run SET finished_at = ?, report = ? WHERE id = ?').run(now(), JSON.stringify(report), runId),
  };
}

/**
 * Returns the headers for the next conditional request as JSON; null if the response has no validators. A modification in the
 * future is none: if it was sent back, later ones would not be seen.
 */
function readValidators({ etag, date, 'last-modified': stated }: Record<string, string>): string | null {
  const modified = stated !== undefined && Date.parse(stated) > Date.parse(date ?? '') ? undefined : stated;
  if (etag === undefined && modified === undefined) return null;
  return JSON.stringify({
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  });
}
