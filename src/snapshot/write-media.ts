/** What the media step writes: one row a file, and what it takes to go on with one that was cut short. */
import type { Algorithm } from '../model/fixity.ts';
import type { StoredMedia } from './read.ts';
import { type Store, transaction } from './store.ts';

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
  /** Keeps many at once, all or nothing. */
  putAll(rows: readonly MediaRow[]): void;
  /** Rows with these bytes. */
  withSum(sha256: string): StoredMedia[];
  /** Whether another address has its file there. */
  isTaken(path: string, url: string): boolean;
  part(url: string): PartRow | undefined;
  parts(): PartRow[];
  putPart(row: PartRow): void;
  dropPart(url: string): void;
  spares(): string[];
  dropSpare(path: string): void;
}

export function openMediaWriter({ db }: Store): MediaWriter {
  const insert =
    db.prepare(`INSERT OR REPLACE INTO media (url, owner, kind, state, path, sha256, size, mimetype, fetched_at, status, cause, proven)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const move = db.prepare('UPDATE media SET path = ? WHERE path = ?');
  const spare = db.prepare('INSERT OR IGNORE INTO media_spare (path) VALUES (?)');
  const bySum = db.prepare(
    `SELECT url, owner, kind, state, path, sha256, size, mimetype, status, cause, proven FROM media WHERE sha256 = ? AND state = 'stored'`,
  );
  const old = db.prepare('SELECT path FROM media WHERE url = ?');
  const named = db.prepare('SELECT 1 FROM media WHERE path = ?');
  const taken = db.prepare('SELECT 1 FROM media WHERE path = ? AND url <> ?');
  const part = db.prepare('SELECT url, path, validator, total FROM media_part WHERE url = ?');
  const parts = db.prepare('SELECT url, path, validator, total FROM media_part ORDER BY url');
  const insertPart = db.prepare('INSERT OR REPLACE INTO media_part (url, path, validator, total) VALUES (?, ?, ?, ?)');
  const deletePart = db.prepare('DELETE FROM media_part WHERE url = ?');
  const spares = db.prepare('SELECT path FROM media_spare ORDER BY path');
  const deleteSpare = db.prepare('DELETE FROM media_spare WHERE path = ?');

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
    put: (row, moved = []) => transaction(db, () => put(row, moved)),
    putAll: (rows) =>
      transaction(db, () => {
        for (const row of rows) put(row, []);
      }),
    withSum: (sha256) => bySum.all(sha256) as unknown as StoredMedia[],
    isTaken: (path, url) => taken.get(path, url) !== undefined,
    part: (url) => part.get(url) as unknown as PartRow | undefined,
    parts: () => parts.all() as unknown as PartRow[],
    putPart: ({ url, path, validator, total }) => void insertPart.run(url, path, validator, total),
    dropPart: (url) => void deletePart.run(url),
    spares: () => spares.all().map((row) => String(row['path'])),
    dropSpare: (path) => void deleteSpare.run(path),
  };
}
