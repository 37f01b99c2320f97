/** What the media step writes: one row a file, and what it takes to go on with one that was cut short. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Algorithm } from '../model/fixity.ts';
import { MEDIA, type StoredMedia } from './read.ts';
import type { Store } from './store.ts';

export interface MediaRow {
  url: string;
  owner: string;
  kind: string;
  state: StoredMedia['state'];
  path?: string | undefined;
  sha256?: string | undefined;
  size?: number | undefined;
  mimetype?: string | undefined;
  /** ISO 8601 in UTC. */
  fetchedAt: string;
  status?: number | undefined;
  cause?: string | undefined;
  proven?: readonly Algorithm[] | undefined;
}

/** A file on its way. */
export interface PartRow {
  url: string;
  path: string;
  validator: string;
  total: number | null;
}

export interface MediaWriter {
  /** Keeps what became of one file. Whoever has its bytes at one of `moved` has them at the row's path from now on; those places, and what the address had before and nobody else has, are spare. */
  put(row: MediaRow, moved?: readonly string[]): void;
  /** Rows with these bytes. */
  withSum(sha256: string): StoredMedia[];
  /** Whether another address has its file there. */
  isTaken(path: string, url: string): boolean;
  part(url: string): PartRow | undefined;
  parts(): PartRow[];
  putPart(row: PartRow): void;
  dropPart(url: string): void;
  /** Keeps what is not kept yet. @throws what went wrong with keeping */
  close(): void;
}

/** Changes that are kept together at most, and milliseconds after which they are: each keeping waits for the disk. */
const TOGETHER = 200;
const SOON = 100;

/**
 * What it is told is in the snapshot at once for whoever asks this process, and on disk soon after: a process that is killed may lose the last
 * moments' rows, whose files are then fetched again. `close` keeps the rest.
 */
export function openMediaWriter({ db, dir }: Store): MediaWriter {
  const insert =
    db.prepare(`INSERT OR REPLACE INTO media (url, owner, kind, state, path, sha256, size, mimetype, fetched_at, status, cause, proven)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const move = db.prepare('UPDATE media SET path = ? WHERE path = ?');
  const spare = db.prepare('INSERT OR IGNORE INTO media_spare (path) VALUES (?)');
  const bySum = db.prepare(`${MEDIA} WHERE sha256 = ? AND state = 'stored'`);
  const old = db.prepare('SELECT path FROM media WHERE url = ?');
  const named = db.prepare('SELECT 1 FROM media WHERE path = ?');
  const taken = db.prepare('SELECT 1 FROM media WHERE path = ? AND url <> ?');
  const part = db.prepare('SELECT url, path, validator, total FROM media_part WHERE url = ?');
  const parts = db.prepare('SELECT url, path, validator, total FROM media_part ORDER BY url');
  const insertPart = db.prepare('INSERT OR REPLACE INTO media_part (url, path, validator, total) VALUES (?, ?, ?, ?)');
  const deletePart = db.prepare('DELETE FROM media_part WHERE url = ?');
  const spares = db.prepare('SELECT path FROM media_spare ORDER BY path');
  const deleteSpare = db.prepare('DELETE FROM media_spare WHERE path = ?');

  /** What is not on disk yet. */
  let changes: Array<() => void> = [];
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  removeSpares();

  /** Makes one change, or nothing of it. @throws also what went wrong when earlier ones were kept */
  function change(work: () => void): void {
    if (failure !== undefined) throw failure;
    if (changes.length === 0) {
      db.exec('BEGIN IMMEDIATE');
      timer = setTimeout(keep, SOON);
    }
    changes.push(work);
    db.exec('SAVEPOINT change');
    try {
      work();
      db.exec('RELEASE change');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK TO change; RELEASE change');
      changes.pop();
      throw error;
    }
    if (changes.length >= TOGETHER) keep();
  }

  /** Keeps the changes so far; what goes wrong is thrown where the next one is made. */
  function keep(): void {
    clearTimeout(timer);
    try {
      commit();
    } catch (error) {
      failure ??= error;
    }
  }

  /** A full disk may have undone what was not kept: it is then made again, now that there may be room. */
  function commit(): void {
    if (changes.length === 0) return;
    if (!db.isTransaction) {
      db.exec('BEGIN IMMEDIATE');
      for (const work of changes) work();
    }
    db.exec('COMMIT');
    changes = [];
    removeSpares();
  }

  /** Removes files that gave way to others, once that is on disk; a process that was killed may have left some. */
  function removeSpares(): void {
    for (const row of spares.all()) {
      rmSync(join(dir, String(row['path'])), { force: true });
      deleteSpare.run(String(row['path']));
    }
  }

  function put(row: MediaRow, moved: readonly string[]): void {
    const before = (old.get(row.url) as { path: string | null } | undefined)?.path;
    for (const path of row.path === undefined ? [] : moved) {
      move.run(row.path as string, path);
      spare.run(path);
    }
    const { url, owner, kind, state, path, sha256, size, mimetype, fetchedAt, status, cause, proven } = row;
    const optional = [path, sha256, size, mimetype].map((value) => value ?? null);
    const proofs = proven === undefined || proven.length === 0 ? null : JSON.stringify(proven);
    insert.run(url, owner, kind, state, ...optional, fetchedAt, status ?? null, cause ?? null, proofs);
    if (state !== 'failed') deletePart.run(url); // what failed may go on another time
    if (before && before !== path && named.get(before) === undefined) spare.run(before);
    if (path !== undefined) deleteSpare.run(path);
  }

  return {
    put: (row, moved = []) => change(() => put(row, moved)),
    withSum: (sha256) => bySum.all(sha256) as unknown as StoredMedia[],
    isTaken: (path, url) => taken.get(path, url) !== undefined,
    part: (url) => part.get(url) as unknown as PartRow | undefined,
    parts: () => parts.all() as unknown as PartRow[],
    putPart: ({ url, path, validator, total }) => change(() => void insertPart.run(url, path, validator, total)),
    dropPart: (url) => change(() => void deletePart.run(url)),
    close() {
      clearTimeout(timer);
      commit();
      if (failure !== undefined) throw failure;
    },
  };
}
