/** What is known of the files of a site since the last build, so that a file that did not change is only stat'ed. */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bytesOf } from '../../catalogue/catalogue-schema.ts';
import { findConcerned, type Reads } from '../../catalogue/dependencies/stored-reads.ts';
import { openCacheDatabase } from '../../platform/cache-database.ts';
import { noteIntact } from '../../platform/known-whole.ts';
import { type SafeDirectory, toSafeDirectory, undefinedIfUnsafe } from '../../platform/safe-directory.ts';
import { runTransaction } from '../../snapshot/store.ts';

/** A file of the site as the last build left it. */
export interface KnownFile {
  path: string;
  /** Hexadecimal. */
  sha256: string;
  /** In bytes. */
  size: number;
  /** Stamp of the file in the site. */
  stamp: string;
  /** Stamp of the file from which it was copied; undefined if it was moved into the site. */
  sourceStamp: string | undefined;
  /** Of a page: undefined if the next build has to render it. */
  pageKey: string | undefined;
  /** Of a page: its dependencies. Undefined: as before. */
  reads?: Reads | undefined;
}

/** The known files of one site. */
export type SiteState = ReturnType<typeof openSiteState>;

/** In the cache of a site. */
export const STATE_FILE = 'site.sqlite';
const VERSION = 2;
const SCHEMA = `
  CREATE TABLE build (key TEXT NOT NULL) STRICT;
  CREATE TABLE file (
    path         TEXT PRIMARY KEY NOT NULL,
    sha256       TEXT NOT NULL,
    size         INTEGER NOT NULL,
    stamp        TEXT NOT NULL,
    source_stamp TEXT,
    page_key     TEXT,
    reads        BLOB                     -- of a page: see src/catalogue/dependencies/stored-reads.ts
  ) STRICT;`;

/**
 * Opens the state in `file`, or creates it. Under another `buildKey` than that of the last build, no page has a key. A file that
 * is not such a state is replaced, because it is part of a cache. `changedOnDisk` is the result of `listChangedOnDisk`, if this
 * build has called it.
 */
export function openSiteState(file: string, buildKey: string, changedOnDisk?: ReadonlySet<string>) {
  const db = openCacheDatabase(file, VERSION, SCHEMA);
  const known = db.prepare('SELECT key FROM build').get()?.['key'];
  if (known !== buildKey)
    runTransaction(db, () => {
      // The key of this build is stored when its files are.
      db.exec("UPDATE build SET key = ''; UPDATE file SET page_key = NULL WHERE page_key IS NOT NULL");
    });
  const put = db.prepare(
    `INSERT INTO file (path, sha256, size, stamp, source_stamp, page_key, reads) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE
      SET sha256 = excluded.sha256, size = excluded.size, stamp = excluded.stamp, source_stamp = excluded.source_stamp,
        page_key = excluded.page_key, reads = coalesce(excluded.reads, reads)`,
  );
  let files: Map<string, KnownFile> | undefined;
  const selectReads = db.prepare('SELECT path AS page, reads FROM file WHERE reads IS NOT NULL');
  const remove = db.prepare('DELETE FROM file WHERE path = ?');
  const lastBuild: 'none' | 'same' | 'other' = known === undefined ? 'none' : known === buildKey ? 'same' : 'other';
  return {
    /** What is known of the last build: it was one of the same program and options, of others, or there was none. */
    lastBuild,
    get(path: string) {
      files ??= readFiles(db);
      return files.get(path);
    },
    /** Whether this build has stat'ed a file, and found it as the last build left it. */
    isUntouched: (path: string) => changedOnDisk !== undefined && !changedOnDisk.has(path),
    /** Yields the paths of the files that are not as they were, or not there, in a site in the directory `out`. */
    changedFiles: (out: string) => changedFiles(db, out),
    /** Returns the paths of the pages with a dependency that changed. */
    findConcerned: (changedKeys: ReadonlySet<string>) => findConcerned(selectReads, changedKeys),
    /** Stores and forgets files, in one transaction. */
    update({ known, forgotten }: { known: Iterable<KnownFile>; forgotten: Iterable<string> }) {
      runTransaction(db, () => {
        db.exec('DELETE FROM build');
        db.prepare('INSERT INTO build VALUES (?)').run(buildKey);
        for (const path of forgotten) {
          remove.run(path);
          files?.delete(path);
        }
        for (const { reads, ...file } of known) {
          const { path, sha256, size, stamp, sourceStamp, pageKey } = file;
          put.run(path, sha256, size, stamp, sourceStamp ?? null, pageKey ?? null, reads ? bytesOf(reads) : null);
          files?.set(path, file);
        }
      });
    },
    /** Sets the keys of pages by path, in one transaction. */
    setPageKeys(keys: Iterable<readonly [path: string, key: string]>) {
      const set = db.prepare('UPDATE file SET page_key = ? WHERE path = ?');
      runTransaction(db, () => {
        for (const [path, key] of keys) set.run(key, path);
      });
      files = undefined;
    },
    [Symbol.dispose]() {
      db.close();
      noteIntact(file);
    },
  };
}

/** Reads all files at once, which takes less than half the time of a query for each. */
function readFiles(db: DatabaseSync): Map<string, KnownFile> {
  const select = db.prepare('SELECT path, sha256, size, stamp, source_stamp, page_key FROM file');
  select.setReturnArrays(true);
  const files = new Map<string, KnownFile>();
  for (const row of select.iterate() as Iterable<unknown>) {
    const [path, sha256, size, stamp, source, key] = row as [string, string, number, string, string | null, string | null];
    files.set(path, { path, sha256, size, stamp, sourceStamp: source ?? undefined, pageKey: key ?? undefined });
  }
  return files;
}

/**
 * Returns what is known of a page, or of another file with a key. Undefined if it must be made again: it has no key, another one
 * than in the last build, or its file changed since. A file that has the same bytes as before, in a copy of the site for example,
 * did not change.
 */
export function findCurrent(
  state: SiteState,
  safeDir: SafeDirectory,
  { path, key }: { path: string; key: string | undefined },
): KnownFile | undefined {
  const known = state.get(path);
  if (key === undefined || known?.pageKey !== key) return undefined;
  if (state.isUntouched(path)) return known;
  const stats = statSafely(safeDir, path);
  if (stats === undefined || stats.size !== known.size) return undefined;
  const stamp = stampOf(stats);
  if (stamp === known.stamp) return known;
  if (hash('sha256', readFileSync(join(safeDir.root, path))) !== known.sha256) return undefined;
  const current = { ...known, stamp };
  state.update({ known: [current], forgotten: [] });
  return current;
}

/** As `changedFiles` of the state in `file`, which may be open elsewhere; undefined if it is of another version. */
export function listChangedOnDisk(file: string, out: string): string[] | undefined {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare('PRAGMA user_version').get()?.['user_version'] === VERSION ? [...changedFiles(db, out)] : undefined;
}

function* changedFiles(db: DatabaseSync, out: string): Generator<string> {
  const safeDir = existsSync(out) ? toSafeDirectory(out) : undefined;
  const select = db.prepare('SELECT path, stamp FROM file');
  select.setReturnArrays(true);
  for (const row of select.iterate() as Iterable<unknown>) {
    const [path, stamp] = row as [string, string];
    const stats = safeDir && statSafely(safeDir, path);
    if (stats === undefined || stampOf(stats) !== stamp) yield path;
  }
}

/** Returns the regular file at a path; undefined if there is none, or if a link is on the way to it. */
const statSafely = (safeDir: SafeDirectory, path: string): Stats | undefined => undefinedIfUnsafe(() => safeDir.stat(path));

/** Returns what changes when a file is written or replaced: its size, time of modification and inode. */
export const stampOf = ({ size, mtimeMs, ino }: Pick<Stats, 'size' | 'mtimeMs' | 'ino'>): string => `${size} ${mtimeMs} ${ino}`;

/** Returns what also changes with the owner, the mode or the name of a file, so that it shows more changes than the stamp. */
export function sourceStampOf(stats: Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>): string {
  return `${stampOf(stats)} ${stats.ctimeMs}`;
}
