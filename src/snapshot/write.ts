/** What a harvest writes: the frontier and its outcomes, each batch in one transaction. */
import { hash } from 'node:crypto';
import { FILE_ROLES, isFileRole } from '../model/ids.ts';
import { keyOf, type Resource, type ResourceKind } from '../model/resources.ts';
import type { UpstreamResponse } from '../model/response.ts';
import { integer, isResourceKind, RESOURCE, readInteger, resourceRow, text } from './rows.ts';
import { runTransaction, type Store } from './store.ts';
import { createRedactionMarker, readWithdrawn } from './withdrawn.ts';

/** A resource to ask for, as it was found. */
export interface DiscoveredResource extends Resource {
  /** What the list that named it says of it; not kept in the frontier. */
  listEntry?: Record<string, unknown>;
}

/** How the asking for one resource ended, and what it led to. */
export interface Outcome {
  resource: Resource;
  attempts: number;
  received?: UpstreamResponse;
  /** What is stored still holds: upstream said so at `checkedAt` (ISO 8601), or a list's line did, without a date. */
  unchanged?: { status: number | undefined; checkedAt: string | undefined };
  /** Objects only. */
  model?: string | undefined;
  /** `reported`: it counts as a failure although nobody named the resource. */
  failure?: { status: number | undefined; cause: string; reported?: boolean };
  discovered: DiscoveredResource[];
}

export interface HarvestWriter {
  /** The run that this writer's rows belong to. */
  runId: number;
  /** Whether this goes on with a run that was cut short. */
  isResumed: boolean;
  /** Whether the snapshot holds nothing yet that an answer could be held against. */
  isEmpty: boolean;
  setMeta(key: string, value: string): void;
  /** Adds resources to the frontier; those that this run has already seen stay as they are. Returns the new ones. */
  enqueue(discovered: DiscoveredResource[], referrer: string | undefined): DiscoveredResource[];
  /** Keeps outcomes and enqueues what they led to, all or nothing. Returns the resources that are new to this run. */
  commitOutcomes(outcomes: Outcome[]): DiscoveredResource[];
  /** What this run still has to ask for of some kinds: at most `limit` resources, without those whose keys the caller has in hand. */
  readQueued(kinds: readonly ResourceKind[], limit: number, bufferedKeys: { has(key: string): boolean }): Resource[];
  countQueued(): number;
  /** Records that failed in this run. */
  readFailedObjects(): Array<Resource & { status: number | undefined }>;
  /** Puts everything that earlier runs had and this one has not met into the frontier. Returns how many. */
  enqueueUnvisited(): number;
  /** Puts back what failed: all of it, or only where no answer came. Returns how many. */
  requeueFailed(which: 'all' | 'no-response'): number;
  /** Drops what earlier runs only heard of and this one has not met: it is no part of the archive. */
  pruneUnreferenced(): void;
  /** Ends the run with its report. */
  finish(report: unknown): void;
}

export interface WriterOptions {
  /** `resume` goes on with the last run even where it had finished, `anew` with none; undefined goes on with one that was interrupted. */
  start?: 'resume' | 'restart';
  /** Which resources this run may touch; undefined: all. */
  includes?: ((resource: Resource) => boolean) | undefined;
}

const MAX_REMEMBERED_KEYS = 20_000;

/** SQL: a row of a file role. Earlier versions asked for them, in vain. */
const IS_FILE_ROLE_SQL = `kind IN ('object', 'children', 'files') AND (${FILE_ROLES.map((role) => `name GLOB '*-*-*-${role}'`).join(' OR ')})`;

/** SQL: the first page of a list that was asked for since its record failed. */
const IS_SPECULATIVE_LIST_SQL = `(kind IN ('children', 'files') AND page_offset = 0)`;

/** Whether a resource belongs to a file role: a level of the ids that has no record and no lists. */
function belongsToFileRole({ kind, name }: Resource): boolean {
  return (kind === 'object' || kind === 'children' || kind === 'files') && isFileRole(name);
}

/** Continues the run that was cut short, or begins a new one. */
export function openWriter(store: Store, now: () => string, { start, includes }: WriterOptions = {}): HarvestWriter {
  const { db } = store;
  const lastRun = db.prepare(`SELECT id, finished_at IS NULL AS open FROM run ORDER BY id DESC LIMIT 1`).get();
  const isResumed = lastRun !== undefined && start !== 'restart' && (start === 'resume' || readInteger(lastRun, 'open') === 1);
  // A run that is not gone on with is over.
  if (!isResumed) db.prepare('UPDATE run SET finished_at = ? WHERE finished_at IS NULL').run(now());
  const runId = isResumed
    ? readInteger(lastRun, 'id')
    : Number(db.prepare('INSERT INTO run (started_at) VALUES (?)').run(now()).lastInsertRowid);
  if (isResumed) db.prepare('UPDATE run SET finished_at = NULL WHERE id = ?').run(runId);

  const withdrawn = readWithdrawn(store);
  db.exec(`DELETE FROM resource WHERE response IS NULL AND ${IS_FILE_ROLE_SQL}`);
  const isEmpty = db.prepare('SELECT 1 FROM response LIMIT 1').get() === undefined;
  /** Keys that this run has surely met: most records name the same few above them. */
  const visitedKeys = new Set<string>();
  const setMeta = db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const queue =
    db.prepare(`INSERT INTO resource (key, kind, name, page_limit, page_offset, referrer, state, run, guess) VALUES (?, ?, ?, ?, ?, ?, 'queued', ?, ?)
    ON CONFLICT (key) DO UPDATE SET state = 'queued', run = excluded.run, attempts = 0, status = NULL, cause = NULL,
      guess = excluded.guess, referrer = coalesce(resource.referrer, excluded.referrer)
    WHERE resource.run <> excluded.run`);
  const name = db.prepare('UPDATE resource SET guess = 0, referrer = ? WHERE key = ? AND guess = 1');
  let guessed = db.prepare('SELECT 1 FROM resource WHERE guess = 1 LIMIT 1').get() !== undefined;
  const before = db.prepare(
    'SELECT p.id, p.sha256, r.gone_at IS NOT NULL AS gone FROM resource r JOIN response p ON p.id = r.response WHERE r.key = ?',
  );
  const insertBody = db.prepare(
    'INSERT INTO response (key, url, fetched_at, status, headers, sha256, body, run, redirects) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const drop = db.prepare('DELETE FROM resource WHERE key = ? AND response IS NULL');
  const note = db.prepare('INSERT OR IGNORE INTO withdrawn (key, withdrawn_at, reason) VALUES (?, ?, ?)');
  const markRedacted = createRedactionMarker(db);
  const succeed = db.prepare(
    `UPDATE resource SET state = 'stored', attempts = ?, status = ?, cause = NULL, response = ?, model = ?, validators = ?, checked_at = ?,
      missing_since = NULL, gone_at = NULL WHERE key = ?`,
  );
  const confirm = db.prepare(
    `UPDATE resource SET state = 'stored', attempts = ?, status = ?, cause = NULL, checked_at = coalesce(?, checked_at),
      missing_since = NULL, gone_at = NULL WHERE key = ?`,
  );
  const fail = db.prepare(
    `UPDATE resource SET state = 'failed', attempts = ?, status = ?, cause = ?, checked_at = NULL WHERE key = ?`,
  );
  const report = db.prepare('UPDATE resource SET guess = 0 WHERE key = ?');
  const waiting = db.prepare(`SELECT ${text('key')}, ${RESOURCE} FROM resource WHERE state = 'queued' AND run = ?`);

  function add(found: DiscoveredResource[], referrer: string | undefined): DiscoveredResource[] {
    return found.filter((resource) => {
      if (belongsToFileRole(resource) || withdrawn.has(resource) || includes?.(resource) === false) return false;
      const key = keyOf(resource);
      const { kind, name: named, page, speculative = false } = resource;
      if (visitedKeys.has(key) && !guessed) return false;
      if (visitedKeys.size >= MAX_REMEMBERED_KEYS) visitedKeys.clear();
      visitedKeys.add(key);
      const isNew =
        queue.run(key, kind, named, page?.limit ?? null, page?.offset ?? null, referrer ?? null, runId, speculative ? 1 : 0)
          .changes > 0;
      if (speculative) guessed = true;
      else if (!isNew && guessed) name.run(referrer ?? null, key); // what was a guess is now somebody's word
      return isNew;
    });
  }

  function applyOutcome({ resource, attempts, received, unchanged, failure, model }: Outcome): void {
    const key = keyOf(resource);
    if (received) {
      const redacted = withdrawn.redact(resource.kind, received);
      const sha256 = hash('sha256', redacted?.body ?? received.body);
      const known = isEmpty ? undefined : before.get(key);
      const { url, fetchedAt, status, headers, body, redirects } = { ...received, ...redacted };
      const id =
        known?.['sha256'] === sha256 && known['gone'] === 0
          ? readInteger(known, 'id')
          : insertBody.run(
              key,
              url,
              fetchedAt,
              status,
              JSON.stringify(headers),
              sha256,
              body,
              runId,
              redirects.length > 0 ? JSON.stringify(redirects) : null,
            ).lastInsertRowid;
      if (redacted) markRedacted(id, now(), received.body);
      succeed.run(attempts, status, id, model ?? null, readValidators(headers), fetchedAt, key);
    } else if (unchanged) {
      confirm.run(attempts, unchanged.status ?? null, unchanged.checkedAt ?? null, key);
    } else {
      fail.run(attempts, failure?.status ?? null, failure?.cause ?? 'unknown', key);
      if (failure?.reported) report.run(key);
    }
  }

  /** Takes nothing of a resource that belongs to a purged record, now and in later runs. */
  function removeFromFrontier(resource: Resource): void {
    withdrawn.add(resource);
    drop.run(keyOf(resource));
    note.run(keyOf(resource), now(), 'It belongs to a record that was withdrawn.');
  }

  const requeue = `UPDATE resource SET state = 'queued', run = ${runId}, attempts = 0, status = NULL, cause = NULL`;

  /** Runs a statement over the rows that a condition takes, those outside of this run's reach left alone. Returns how many. */
  function within(condition: string, change: string): number {
    if (!includes) return Number(db.prepare(`${change} WHERE ${condition}`).run().changes);
    const one = db.prepare(`${change} WHERE key = ?`);
    const rows = db.prepare(`SELECT kind, name, key FROM resource WHERE ${condition}`).all();
    const own = rows.filter(({ kind, name }) => isResourceKind(kind) && includes({ kind, name: String(name) }));
    return runTransaction(db, () => own.reduce((sum, row) => sum + Number(one.run(String(row['key'])).changes), 0));
  }

  return {
    runId,
    isResumed,
    isEmpty,
    setMeta: (key, value) => setMeta.run(key, value),
    enqueue: (found, referrer) => runTransaction(db, () => add(found, referrer)),
    commitOutcomes: (outcomes) =>
      runTransaction(db, () =>
        outcomes.flatMap((outcome) => {
          if (outcome.received && withdrawn.claimsBody(outcome.resource, outcome.received)) {
            removeFromFrontier(outcome.resource);
            return [];
          }
          applyOutcome(outcome);
          return add(outcome.discovered, keyOf(outcome.resource));
        }),
      ),
    readQueued(kinds, limit, inHand) {
      const found: Resource[] = [];
      for (const row of waiting.iterate(runId)) {
        const resource = resourceRow(row);
        // A row under another's key would never be settled.
        if (!resource || row['key'] !== keyOf(resource)) continue;
        if (!kinds.includes(resource.kind) || inHand.has(keyOf(resource))) continue;
        found.push(resource);
        if (found.length >= limit) break;
      }
      return found;
    },
    countQueued: () =>
      readInteger(db.prepare(`SELECT count(*) AS count FROM resource WHERE state = 'queued' AND run = ?`).get(runId), 'count'),
    readFailedObjects: () =>
      db
        .prepare(`SELECT ${RESOURCE}, ${integer('status')} FROM resource WHERE kind = 'object' AND state = 'failed' AND run = ?`)
        .all(runId)
        .flatMap((row) => {
          const resource = resourceRow(row);
          return resource ? [{ ...resource, status: row['status'] === null ? undefined : Number(row['status']) }] : [];
        }),
    enqueueUnvisited: () =>
      within(
        `run <> ${runId} AND response IS NOT NULL AND kind IN ('author', 'article', 'source', 'object') AND NOT (${IS_FILE_ROLE_SQL})`,
        requeue,
      ),
    requeueFailed(which) {
      // The record decides again which of its lists are asked for.
      if (which === 'all')
        db.exec(`DELETE FROM resource WHERE state = 'failed' AND guess = 1 AND response IS NULL AND ${IS_SPECULATIVE_LIST_SQL}`);
      return within(
        `state = 'failed' AND (guess = 0 OR ${IS_SPECULATIVE_LIST_SQL}) AND gone_at IS NULL AND NOT (${IS_FILE_ROLE_SQL}) AND (status IS NULL OR ${which === 'all'})`,
        requeue,
      );
    },
    pruneUnreferenced: () => void within(`run <> ${runId} AND response IS NULL`, 'DELETE FROM resource'),
    finish: (report) =>
      db.prepare('UPDATE run SET finished_at = ?, report = ? WHERE id = ?').run(now(), JSON.stringify(report), runId),
  };
}

/** The conditional headers for the next time, as JSON; null where the answer gave no validators. */
function readValidators({ etag, 'last-modified': modified }: Record<string, string>): string | null {
  if (etag === undefined && modified === undefined) return null;
  return JSON.stringify({
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  });
}
