/** What a harvest writes: the frontier and its outcomes, each batch in one transaction. */
import { createHash } from 'node:crypto';
import { keyOf, type Resource } from '../model/resources.ts';
import { type Store, transaction } from './store.ts';

/** A body as received, with its provenance. */
export interface Received {
  url: string;
  fetchedAt: string;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** How the asking for one resource ended, and what it led to. */
export interface Outcome {
  resource: Resource;
  attempts: number;
  received?: Received;
  /** Objects only. */
  model?: string | undefined;
  failure?: { status: number | undefined; cause: string };
  found: Resource[];
}

export interface MediaRow {
  url: string;
  owner: string;
  kind: string;
  state: 'stored' | 'failed';
  path?: string | undefined;
  sha256?: string | undefined;
  size?: number | undefined;
  mimetype?: string | undefined;
  fetchedAt: string;
  status?: number | undefined;
  cause?: string | undefined;
}

export interface Writer {
  /** The run that this writer's rows belong to. */
  run: number;
  setMeta(key: string, value: string): void;
  /** Adds resources to the frontier; those that this run has already seen stay as they are. */
  enqueue(found: Resource[], referrer: string | undefined): Resource[];
  /** Keeps outcomes and enqueues what they led to, all or nothing. Returns the resources that are new to this run. */
  record(outcomes: Outcome[]): Resource[];
  /** What this run still has to ask for. */
  queued(): Resource[];
  /** Ends the run with its report. */
  finish(report: unknown): void;
}

/** Continues the run that was cut short, or begins a new one. */
export function openWriter(store: Store, now: () => string): Writer {
  const { db } = store;
  const open = db.prepare('SELECT id FROM run WHERE finished_at IS NULL ORDER BY id DESC LIMIT 1').get() as
    | { id: number }
    | undefined;
  const run = open?.id ?? Number(db.prepare('INSERT INTO run (started_at) VALUES (?)').run(now()).lastInsertRowid);

  const setMeta = db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const seen = db.prepare('SELECT run FROM resource WHERE key = ?');
  const queue =
    db.prepare(`INSERT INTO resource (key, kind, name, page_limit, page_offset, referrer, state, run) VALUES (?, ?, ?, ?, ?, ?, 'queued', ?)
    ON CONFLICT (key) DO UPDATE SET state = 'queued', run = excluded.run, attempts = 0, status = NULL, cause = NULL`);
  const lastSha = db.prepare('SELECT p.id, p.sha256 FROM resource r JOIN response p ON p.id = r.response WHERE r.key = ?');
  const keep = db.prepare(
    'INSERT INTO response (key, url, fetched_at, status, headers, sha256, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const succeed = db.prepare(
    `UPDATE resource SET state = 'stored', attempts = ?, status = ?, cause = NULL, response = ?, model = ? WHERE key = ?`,
  );
  const fail = db.prepare(`UPDATE resource SET state = 'failed', attempts = ?, status = ?, cause = ? WHERE key = ?`);

  function add(found: Resource[], referrer: string | undefined): Resource[] {
    return found.filter((resource) => {
      const key = keyOf(resource);
      if ((seen.get(key) as { run: number } | undefined)?.run === run) return false;
      queue.run(
        key,
        resource.kind,
        resource.name,
        resource.page?.limit ?? null,
        resource.page?.offset ?? null,
        referrer ?? null,
        run,
      );
      return true;
    });
  }

  function settle({ resource, attempts, received, failure, model }: Outcome): void {
    const key = keyOf(resource);
    if (received) {
      const sha256 = createHash('sha256').update(received.body).digest('hex');
      const last = lastSha.get(key) as { id: number; sha256: string } | undefined;
      const id =
        last?.sha256 === sha256
          ? last.id
          : keep.run(
              key,
              received.url,
              received.fetchedAt,
              received.status,
              JSON.stringify(received.headers),
              sha256,
              received.body,
            ).lastInsertRowid;
      succeed.run(attempts, received.status, id, model ?? null, key);
    } else {
      fail.run(attempts, failure?.status ?? null, failure?.cause ?? 'unknown', key);
    }
  }

  return {
    run,
    setMeta: (key, value) => setMeta.run(key, value),
    enqueue: (found, referrer) => transaction(db, () => add(found, referrer)),
    record: (outcomes) =>
      transaction(db, () =>
        outcomes.flatMap((outcome) => {
          settle(outcome);
          return add(outcome.found, keyOf(outcome.resource));
        }),
      ),
    queued: () =>
      db
        .prepare(`SELECT kind, name, page_limit, page_offset FROM resource WHERE state = 'queued' AND run = ? ORDER BY key`)
        .all(run)
        .map((row) => {
          const {
            kind,
            name,
            page_limit: limit,
            page_offset: offset,
          } = row as unknown as { kind: Resource['kind']; name: string; page_limit: number | null; page_offset: number | null };
          return limit === null || offset === null ? { kind, name } : { kind, name, page: { limit, offset } };
        }),
    finish: (report) =>
      db.prepare('UPDATE run SET finished_at = ?, report = ? WHERE id = ?').run(now(), JSON.stringify(report), run),
  };
}

/** Keeps what became of one media file. */
export function openMediaWriter({ db }: Store): (row: MediaRow) => void {
  const put =
    db.prepare(`INSERT OR REPLACE INTO media (url, owner, kind, state, path, sha256, size, mimetype, fetched_at, status, cause)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return ({ url, owner, kind, state, path, sha256, size, mimetype, fetchedAt, status, cause }) => {
    put.run(
      url,
      owner,
      kind,
      state,
      path ?? null,
      sha256 ?? null,
      size ?? null,
      mimetype ?? null,
      fetchedAt,
      status ?? null,
      cause ?? null,
    );
  };
}
