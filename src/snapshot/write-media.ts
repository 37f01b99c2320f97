/** What the media step writes: files, the URLs that they were downloaded from, the records that name them, and what it takes to resume a download. */
import { dirname } from 'node:path/posix';
import type { DatabaseSync } from 'node:sqlite';
import type { Algorithm } from '../model/fixity.ts';
import type { MediaKind } from '../model/media.ts';
import { type SafeDirectory, toSafeDirectory } from '../platform/safe-directory.ts';
import { syncDirectory } from '../platform/sync-directory.ts';
import { deleteMediaFile } from './media-files.ts';
import { mediaPathProblem } from './media-path.ts';
import { SELECT_MEDIA, type StoredMedia } from './read.ts';
import { integer, mediaRow, partRow, text, texts } from './rows.ts';
import type { Store } from './store.ts';

/** What became of one URL, and its file. */
export interface MediaRow {
  url: string;
  /** The ID of the record that the file is named after. */
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

/** A record names a media file. */
export interface Use {
  /** The record's ID. */
  record: string;
  url: string;
  kind: MediaKind;
}

/** A file that is being downloaded. */
export interface PartRow {
  url: string;
  path: string;
  validator: string;
  total: number | null;
}

/** What is known of a part on disk: its first `durable` bytes were synced, and have this SHA-256. Null if nothing is. */
export interface DurablePart extends PartRow {
  durable: number | null;
  sha256: string | null;
}

export interface MediaWriter {
  /** Writes what became of one URL. URLs whose file is at one of `moved` have the row's file from now on; those files, and what the URL alone had before, are orphans. */
  put(row: MediaRow, moved?: readonly string[]): void;
  /** Writes which records name which files, in place of what was known before. */
  putUses(uses: readonly Use[]): void;
  /** Rows with these bytes. */
  withSum(sha256: string): StoredMedia[];
  /** Whether another address has its file there. */
  isTaken(path: string, url: string): boolean;
  part(url: string): DurablePart | undefined;
  parts(): DurablePart[];
  /** A download begins; nothing of it is durable yet. */
  putPart(row: PartRow): void;
  /** So many bytes of a download are durable. Nothing happens if nobody is to resume it. */
  putCheckpoint(url: string, durable: number, sha256: string): void;
  /** A file was put at this path: its folder is synced before the rows of now are committed. */
  placed(path: string): void;
  dropPart(url: string): void;
  /** Keeps what is not kept yet. @throws what went wrong with keeping */
  close(): void;
}

const PART = `SELECT ${texts('url', 'path', 'validator', 'sha256')}, ${integer('total')}, ${integer('durable')} FROM download`;

/** Changes that are kept together at most, and milliseconds after which they are: each keeping waits for the disk. */
const TOGETHER = 200;
const SOON = 100;

/**
 * What it is told is in the snapshot at once for whoever asks this process, and on disk soon after: a process that is killed may lose the last
 * moments' rows, whose files are then fetched again. `close` keeps the rest.
 */
export function openMediaWriter({ db, dir }: Store): MediaWriter {
  const safeDir = toSafeDirectory(dir);
  const directories = createFolderSync(safeDir);
  const insert = db.prepare(`INSERT OR REPLACE INTO media (url, owner, kind, state, path, fetched_at, status, cause, proven)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertFile = db.prepare('INSERT OR REPLACE INTO blob (path, sha256, size, mimetype) VALUES (?, ?, ?, ?)');
  const deleteFile = db.prepare('DELETE FROM blob WHERE path = ?');
  const move = db.prepare('UPDATE media SET path = ? WHERE path = ?');
  const addOrphan = db.prepare('INSERT OR IGNORE INTO orphan_file (path) VALUES (?)');
  const bySum = db.prepare(`${SELECT_MEDIA} WHERE b.sha256 = ? AND m.state = 'stored'`);
  const old = db.prepare(`SELECT ${text('path')} FROM media WHERE url = ?`);
  const named = db.prepare('SELECT 1 FROM media WHERE path = ?');
  const taken = db.prepare('SELECT 1 FROM media WHERE path = ? AND url <> ?');
  const part = db.prepare(`${PART} WHERE url = ?`);
  const parts = db.prepare(`${PART} ORDER BY url`);
  const insertPart = db.prepare('INSERT OR REPLACE INTO download (url, path, validator, total) VALUES (?, ?, ?, ?)');
  const setCheckpoint = db.prepare('UPDATE download SET durable = ?, sha256 = ? WHERE url = ?');
  const deletePart = db.prepare('DELETE FROM download WHERE url = ?');
  const orphans = db.prepare(`SELECT ${text('path')} FROM orphan_file ORDER BY 1`);
  const deleteOrphan = db.prepare('DELETE FROM orphan_file WHERE path = ?');

  /** What is not on disk yet. */
  let changes: Array<() => void> = [];
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  removeOrphans();

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
    directories.sync();
    if (changes.length === 0) return;
    if (!db.isTransaction) {
      db.exec('BEGIN IMMEDIATE');
      for (const work of changes) work();
    }
    db.exec('COMMIT');
    changes = [];
    removeOrphans();
  }

  /** Deletes orphan files, once that is committed; a process that was killed may have left some. What a row says is not trusted: others may have made the snapshot. */
  function removeOrphans(): void {
    for (const row of orphans.all()) {
      const path = String(row['path'] ?? '');
      if (named.get(path) === undefined) deleteMediaFile(safeDir, path);
      deleteOrphan.run(path);
    }
  }

  function put(row: MediaRow, moved: readonly string[]): void {
    const { url, owner, kind, state, path, sha256, size, mimetype, fetchedAt, status, cause, proven } = row;
    const before = old.get(url)?.['path'];
    if (path !== undefined) {
      insertFile.run(path, sha256 ?? null, size ?? null, mimetype ?? null);
      deleteOrphan.run(path);
      for (const other of moved) {
        move.run(path, other);
        orphan(other);
      }
    }
    const proofs = proven === undefined || proven.length === 0 ? null : JSON.stringify(proven);
    insert.run(url, owner, kind, state, path ?? null, fetchedAt, status ?? null, cause ?? null, proofs);
    if (state !== 'failed') deletePart.run(url); // what failed may go on another time
    if (typeof before === 'string' && before !== path && named.get(before) === undefined) orphan(before);
  }

  /** A file that no URL has any more. */
  function orphan(path: string): void {
    deleteFile.run(path);
    if (mediaPathProblem(path) === undefined) addOrphan.run(path);
  }

  return {
    put: (row, moved = []) => change(() => put(row, moved)),
    putUses: (uses) => change(() => replaceUses(db, uses)),
    withSum: (sha256) => bySum.all(sha256).flatMap((row) => mediaRow(row) ?? []),
    isTaken: (path, url) => taken.get(path, url) !== undefined,
    part(url) {
      const row = part.get(url);
      return row && partRow(row);
    },
    parts: () => parts.all().flatMap((row) => partRow(row) ?? []),
    putPart: ({ url, path, validator, total }) => change(() => void insertPart.run(url, path, validator, total)),
    putCheckpoint: (url, durable, sha256) => change(() => void setCheckpoint.run(durable, sha256, url)),
    placed: directories.changed,
    dropPart: (url) => change(() => void deletePart.run(url)),
    close() {
      clearTimeout(timer);
      commit();
      if (failure !== undefined) throw failure;
    },
  };
}

/** Writes what differs from before: mostly nothing does. */
function replaceUses(db: DatabaseSync, uses: readonly Use[]): void {
  db.exec('CREATE TEMP TABLE named (record TEXT, url TEXT, kind TEXT, PRIMARY KEY (record, url)) WITHOUT ROWID');
  const insert = db.prepare('INSERT OR IGNORE INTO named (record, url, kind) VALUES (?, ?, ?)');
  for (const { record, url, kind } of uses) insert.run(record, url, kind);
  db.exec(`DELETE FROM usage AS u WHERE NOT EXISTS (SELECT 1 FROM named n WHERE n.record = u.record AND n.url = u.url AND n.kind = u.kind);
    INSERT OR IGNORE INTO usage (record, url, kind) SELECT record, url, kind FROM named;
    DROP TABLE named`);
}

/** Folders whose entries have changed, to be synced together. */
function createFolderSync(safeDir: SafeDirectory) {
  let changed = new Set<string>();
  /** Folders that are surely entries of their own folders by now. */
  const entered = new Set<string>();
  return {
    changed: (path: string) => void changed.add(dirname(path)),
    sync() {
      for (const directory of changed) {
        const above = entered.has(directory) ? [] : [dirname(directory), '.'];
        for (const one of [directory, ...above]) syncDirectory(one === '.' ? safeDir.root : safeDir.resolve(one));
        entered.add(directory);
      }
      changed = new Set();
    },
  };
}
