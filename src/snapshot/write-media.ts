/** Writes the media tables: files, URLs of their downloads, records that use them, and states of partial downloads. */
import { dirname } from 'node:path/posix';
import type { DatabaseSync } from 'node:sqlite';
import type { Algorithm } from '../model/media/fixity.ts';
import type { MediaKind } from '../model/media/media-kinds.ts';
import type { Exchange } from '../model/response.ts';
import { type SafeDirectory, toSafeDirectory } from '../platform/safe-directory.ts';
import { syncDirectory } from '../platform/sync-directory.ts';
import { deleteMarkedFiles, markForDeletion } from './deletions.ts';
import { createExchangeWriter } from './exchanges.ts';
import { MEDIA_KINDS_META_KEY } from './files-elsewhere.ts';
import { mediaPathProblem } from './media-files.ts';
import { SELECT_MEDIA } from './read.ts';
import type { PartRow, StoredMedia } from './row-types.ts';
import { integer, mediaRow, partRow, text, texts } from './rows.ts';
import { type Store, writeMeta } from './store.ts';

/** What may be known of a file. */
type KnownOfFile = {
  [Field in 'path' | 'sha256' | 'size' | 'mimetype' | 'status' | 'cause']?: NonNullable<StoredMedia[Field]> | undefined;
};

/** A media URL, the result of its download, and its file. */
export interface MediaRow extends Pick<StoredMedia, 'url' | 'owner' | 'kind' | 'state'>, KnownOfFile {
  /** ISO 8601 in UTC. */
  fetchedAt: string;
  /** Declared checksums that the bytes match. */
  verified?: readonly Algorithm[] | undefined;
  /** The exchanges of its download; none if it was not downloaded now. */
  exchanges?: readonly Exchange[] | undefined;
}

/** A record that names a media file. */
export interface Use {
  /** ID of the record. */
  record: string;
  url: string;
  kind: MediaKind;
}

/** Writes to the media tables of an open snapshot. */
export type MediaWriter = ReturnType<typeof openMediaWriter>;

const PART = `SELECT ${texts('url', 'path', 'validator', 'sha256')}, ${integer('total')}, ${integer('durable')} FROM download`;

/** Maximum changes in one commit. Changes are committed in batches, since each commit waits for the disk. */
const MAX_BATCH_SIZE = 200;
/** Maximum milliseconds before a change is committed. */
const MAX_COMMIT_DELAY_MS = 100;

/**
 * Opens a writer for the media tables. This process can read changes at once; they are committed shortly afterwards. If the
 * process is killed, changes that were not committed are lost, and their files are downloaded again. `close` commits pending
 * changes.
 */
export function openMediaWriter(store: Store) {
  const { db } = store;
  const directories = createDirectorySync(toSafeDirectory(store.dir));
  const insert = db.prepare(`INSERT OR REPLACE INTO media (url, owner, kind, state, path, fetched_at, status, cause, verified)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertFile = db.prepare('INSERT OR REPLACE INTO blob (path, sha256, size, mimetype) VALUES (?, ?, ?, ?)');
  const deleteFile = db.prepare('DELETE FROM blob WHERE path = ?');
  const move = db.prepare('UPDATE media SET path = ? WHERE path = ?');
  const selectBySha256 = db.prepare(`${SELECT_MEDIA} WHERE b.sha256 = ? AND m.state = 'stored'`);
  const selectPath = db.prepare(`SELECT ${text('path')} FROM media WHERE url = ?`);
  const selectAnyUrl = db.prepare('SELECT 1 FROM media WHERE path = ?');
  const selectOtherUrl = db.prepare('SELECT 1 FROM media WHERE path = ? AND url <> ?');
  const part = db.prepare(`${PART} WHERE url = ?`);
  const insertPart = db.prepare('INSERT OR REPLACE INTO download (url, path, validator, total) VALUES (?, ?, ?, ?)');
  const setCheckpoint = db.prepare('UPDATE download SET durable = ?, sha256 = ? WHERE url = ?');
  const deletePart = db.prepare('DELETE FROM download WHERE url = ?');
  const deleteOrphan = db.prepare('DELETE FROM orphan_file WHERE path = ?');

  const writeExchanges = createExchangeWriter(db);

  /** Changes that are not committed yet. */
  let changes: Array<() => void> = [];
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  deleteMarkedFiles(store);

  /**
   * Makes one change; undoes it if it throws.
   * @throws {Error} also the error of an earlier commit
   */
  function change(work: () => void): void {
    if (failure !== undefined) throw failure;
    if (changes.length === 0) {
      db.exec('BEGIN IMMEDIATE');
      timer = setTimeout(commitLater, MAX_COMMIT_DELAY_MS);
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
    if (changes.length >= MAX_BATCH_SIZE) commitLater();
  }

  /** Commits pending changes. The next change throws the error, if there is one. */
  function commitLater(): void {
    clearTimeout(timer);
    try {
      commit();
    } catch (error) {
      failure ??= error;
    }
  }

  /** Commits pending changes. If a full disk rolled them back, makes them again first: disk space may be available now. */
  function commit(): void {
    directories.sync();
    if (changes.length === 0) return;
    if (!db.isTransaction) {
      db.exec('BEGIN IMMEDIATE');
      for (const work of changes) work();
    }
    db.exec('COMMIT');
    changes = [];
    deleteMarkedFiles(store); // what cannot be deleted stays marked
  }

  function put(row: MediaRow, moved: readonly string[]): void {
    const { url, owner, kind, state, path, sha256, size, mimetype, fetchedAt, status, cause, verified, exchanges } = row;
    const before = selectPath.get(url)?.['path'];
    if (path !== undefined) {
      insertFile.run(path, sha256 ?? null, size ?? null, mimetype ?? null);
      deleteOrphan.run(path);
      for (const other of moved) {
        move.run(path, other);
        markOrphan(other);
      }
    }
    const verifiedJson = verified === undefined || verified.length === 0 ? null : JSON.stringify(verified);
    insert.run(url, owner, kind, state, path ?? null, fetchedAt, status ?? null, cause ?? null, verifiedJson);
    if (exchanges || state === 'failed') writeExchanges({ media: url }, exchanges ?? []);
    if (state !== 'failed') deletePart.run(url); // a failed download may be resumed later
    if (typeof before === 'string' && before !== path && selectAnyUrl.get(before) === undefined) markOrphan(before);
  }

  /** Marks a file that no URL has any more for deletion. */
  function markOrphan(path: string): void {
    deleteFile.run(path);
    if (mediaPathProblem(path) === undefined) markForDeletion(db, [path]);
  }

  /**
   * Commits pending changes.
   * @throws {Error} the first error of any commit
   */
  function close(): void {
    clearTimeout(timer);
    commit();
    if (failure !== undefined) throw failure;
  }

  return {
    /**
     * Writes the row of one URL. URLs that have one of the files `moved` get the file of this row instead. Those files become
     * orphans, and so does the URL's previous file if no other URL has it.
     */
    put: (row: MediaRow, moved: readonly string[] = []) => change(() => put(row, moved)),
    /** Replaces all rows of the table `usage`, and notes which `kinds` of files are downloaded. */
    putUses: (uses: readonly Use[], kinds: Iterable<MediaKind>) =>
      change(() => {
        replaceUses(db, uses);
        writeMeta(db, MEDIA_KINDS_META_KEY, [...kinds].join(' '));
      }),
    findBySha256: (sha256: string) => selectBySha256.all(sha256).flatMap((row) => mediaRow(row) ?? []),
    /** Returns whether another URL has its file at this path. */
    isTaken: (path: string, url: string) => selectOtherUrl.get(path, url) !== undefined,
    /** Returns the partial download of a URL, if there is one. */
    part(url: string) {
      const row = part.get(url);
      return row && partRow(row);
    },
    /** Writes the row of a new download, without a checkpoint. */
    putPart: ({ url, path, validator, total }: PartRow) => change(() => void insertPart.run(url, path, validator, total)),
    /** Writes a checkpoint: the number of durable bytes and their SHA-256. Does nothing if the URL has no partial download. */
    putCheckpoint: (url: string, durable: number, sha256: string) => change(() => void setCheckpoint.run(durable, sha256, url)),
    /** Reports a new file at a path. Its directory is synced before pending changes are committed. */
    placed: directories.changed,
    dropPart: (url: string) => change(() => void deletePart.run(url)),
    close,
    [Symbol.dispose]: close,
  };
}

/** Replaces the rows of `usage`. Writes only the differences, since there are usually few. */
function replaceUses(db: DatabaseSync, uses: readonly Use[]): void {
  db.exec('CREATE TEMP TABLE new_usage (record TEXT, url TEXT, kind TEXT, PRIMARY KEY (record, url)) WITHOUT ROWID');
  const insert = db.prepare('INSERT OR IGNORE INTO new_usage (record, url, kind) VALUES (?, ?, ?)');
  for (const { record, url, kind } of uses) insert.run(record, url, kind);
  db.exec(`DELETE FROM usage AS u WHERE NOT EXISTS (SELECT 1 FROM new_usage n WHERE n.record = u.record AND n.url = u.url AND n.kind = u.kind);
    INSERT OR IGNORE INTO usage (record, url, kind) SELECT record, url, kind FROM new_usage;
    DROP TABLE new_usage`);
}

/** Collects directories whose entries have changed, and syncs them together. */
function createDirectorySync(safeDir: SafeDirectory) {
  let changed = new Set<string>();
  /** Directories whose parents were synced after they were created. */
  const synced = new Set<string>();
  return {
    changed: (path: string) => void changed.add(dirname(path)),
    sync() {
      for (const directory of changed) {
        const parents = synced.has(directory) ? [] : [dirname(directory), '.'];
        for (const one of [directory, ...parents]) syncDirectory(one === '.' ? safeDir.root : safeDir.resolve(one));
        synced.add(directory);
      }
      changed = new Set();
    },
  };
}
