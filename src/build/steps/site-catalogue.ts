/** The catalogue of a site and its file: as the last build left them, brought up to date, or made. */
import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Catalogue, type CatalogueStore, readCatalogueInto } from '../../catalogue/catalogue.ts';
import { openForWriting } from '../../catalogue/catalogue-file.ts';
import {
  type CatalogueOrigin,
  isUnusable,
  openEarlierFile,
  readState,
  readStoredCatalogue,
  writeOrigin,
} from '../../catalogue/dependencies/catalogue-state.ts';
import { compareCatalogues, type RecordChanges } from '../../catalogue/dependencies/compare-catalogues.ts';
import { undefinedIf } from '../../platform/expected-errors.ts';
import { noteIntact } from '../../platform/known-whole.ts';
import { snapshotStamp } from '../../snapshot/snapshot-stamp.ts';
import { hashOfMedia, keepOpenForReading, type SiteMedia, writeMedia, writeSnapshotLookups } from '../pages/site-source.ts';

/** In the cache of a site: the catalogue of the last complete build. */
const LAST = 'catalogue.sqlite';

/** The catalogue file of a build. When the build is complete, it replaces that of the last one. */
export interface CatalogueFile {
  db: DatabaseSync;
  path: string;
  /** The records that changed since the last complete build; undefined if there is none, or its catalogue cannot be used. */
  changes: RecordChanges | undefined;
  /**
   * The keys of everything that pages would read otherwise than in the last complete build
   * (src/catalogue/dependencies/read-keys.ts); undefined if that is not known.
   */
  changedKeys: ReadonlySet<string> | undefined;
  /** Keeps the file for the next build, because this one is complete. */
  keep(): Promise<void>;
  /** Closes the file. Deletes it unless it was kept. */
  close(): void;
}

/** The catalogue of a site. */
export interface SiteCatalogue {
  catalogue: Catalogue;
  /** Adds what is known of media to the catalogue file. Called once. */
  toFile(media: SiteMedia): CatalogueFile;
  /** Closes the file, and deletes it, if `toFile` was not called. */
  close(): void;
}

/**
 * Reads the catalogue of a site. What did not change is taken from the file of the last build in `directory`, if its key is the
 * same: a hash of the program and of all settings that decide what a catalogue shows. A file that is damaged is not used. `now`
 * is in milliseconds. `shared` is the path of the file that all shards share, in a build of a shard.
 */
export function readSiteCatalogue(
  store: CatalogueStore,
  directory: string,
  key: string,
  { now = Date.now(), shared }: { now?: number; shared?: string | undefined } = {},
): SiteCatalogue {
  deleteAbandoned(directory);
  const origin = { key, stamp: snapshotStamp(store, now) ?? '' };
  const last = openEarlierFile(join(directory, LAST));
  try {
    return readFrom(store, directory, origin, last, shared);
  } catch (error) {
    last?.close();
    if (!last || !isUnusable(error)) throw error;
    return readFrom(store, directory, origin, undefined, undefined);
  }
}

function readFrom(
  store: CatalogueStore,
  directory: string,
  origin: CatalogueOrigin,
  last: DatabaseSync | undefined,
  shared: string | undefined,
): SiteCatalogue {
  const isUsable = last !== undefined && readState(last, 'key') === origin.key;
  if (isUsable && origin.stamp !== '' && readState(last, 'stamp') === origin.stamp)
    return {
      catalogue: readStoredCatalogue(last),
      toFile: (media) => openUnchanged(directory, last, media),
      close: () => last[Symbol.dispose](),
    };
  const made =
    (isUsable && undefinedIf(isUnusable, () => readIntoFile(store, directory, origin, true))) ||
    (shared !== undefined && undefinedIf(isUnusable, () => openCopyOfShared(directory, origin, shared))) ||
    readIntoFile(store, directory, origin, false, shared);
  last?.close();
  const { db, path, catalogue, isOfLast } = made;
  return {
    catalogue,
    toFile(media) {
      writeMedia(db, media);
      const compared = last ? compareWithLast(db, directory, isOfLast) : NOT_COMPARED;
      return { ...opened(directory, path, db), ...compared };
    },
    close: () => remove(db, path),
  };
}

const NOT_COMPARED = { changes: undefined, changedKeys: undefined };

/** Compares a catalogue file with the last build's: what pages read only if it was made of that one, as `isOfLast` says. */
function compareWithLast(db: DatabaseSync, directory: string, isOfLast: boolean): Pick<CatalogueFile, 'changes' | 'changedKeys'> {
  const compared = undefinedIf(isUnusable, () => compareCatalogues(db, join(directory, LAST), isOfLast));
  return { changes: compared?.records, changedKeys: isOfLast ? compared?.keys : undefined };
}

/** Returns the file of the last build, if nothing is known otherwise of media files; else a copy. */
function openUnchanged(directory: string, last: DatabaseSync, media: SiteMedia): CatalogueFile {
  if (readState(last, 'media') === hashOfMedia(media)) {
    keepOpenForReading(last);
    return {
      db: last,
      path: join(directory, LAST),
      changes: { added: 0, changed: 0, removed: 0 },
      changedKeys: new Set(),
      async keep() {
        noteIntact(join(directory, LAST));
      },
      close: () => last[Symbol.dispose](),
    };
  }
  const { db, path } = createFile(directory, true);
  return removedIfFailed(db, path, () => {
    writeMedia(db, media);
    const compared = compareWithLast(db, directory, true);
    const file = opened(directory, path, db);
    const close = () => {
      file.close();
      last[Symbol.dispose](); // records are read from it
    };
    return { ...file, ...compared, close };
  });
}

/** Reads a catalogue into a copy of the file of the last build (`isOfLast`), or into a new file. */
function readIntoFile(store: CatalogueStore, directory: string, origin: CatalogueOrigin, isOfLast: boolean, shared?: string) {
  const { db, path } = createFile(directory, isOfLast);
  return removedIfFailed(db, path, () => {
    const { catalogue, sourceVersions } = readCatalogueInto(db, store);
    writeSnapshotLookups(db, catalogue.facts.emptyFiles, sourceVersions);
    writeOrigin(db, catalogue, origin);
    if (shared !== undefined) shareCatalogue(path, shared);
    return { db, path, catalogue, isOfLast };
  });
}

/** Returns a copy of the file that shards share, if it has the same snapshot, program and settings. */
function openCopyOfShared(directory: string, origin: CatalogueOrigin, shared: string) {
  if (origin.stamp === '' || !existsSync(shared)) return undefined;
  const path = ownPath(directory);
  // Another shard may replace the file at any time, so the copy is checked.
  copyFileSync(shared, path, constants.COPYFILE_FICLONE);
  const copy = openEarlierFile(path);
  const isSame = copy !== undefined && readState(copy, 'key') === origin.key && readState(copy, 'stamp') === origin.stamp;
  copy?.close();
  if (!isSame) {
    rmSync(path);
    return undefined;
  }
  const db = openForWriting(path);
  return removedIfFailed(db, path, () => ({ db, path, catalogue: readStoredCatalogue(db), isOfLast: false }));
}

function opened(directory: string, path: string, db: DatabaseSync): Pick<CatalogueFile, 'db' | 'path' | 'keep' | 'close'> {
  keepOpenForReading(db);
  const synced = syncFile(path); // while pages are rendered
  synced.catch(() => undefined); // unless it is kept, it does not matter
  return {
    db,
    path,
    async keep() {
      await synced;
      renameSync(path, join(directory, LAST));
      noteIntact(join(directory, LAST));
    },
    close: () => remove(db, path),
  };
}

function remove(db: DatabaseSync, path: string): void {
  db[Symbol.dispose]();
  rmSync(path, { force: true });
}

/** Syncs a file to the disk, so that it is whole after a power failure: the next build trusts it. */
async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}

/** Creates a file: empty, or a copy of that of the last build; where the file system can, a clone. */
function createFile(directory: string, isOfLast: boolean): { db: DatabaseSync; path: string } {
  const path = ownPath(directory);
  rmSync(path, { force: true });
  if (isOfLast) copyFileSync(join(directory, LAST), path, constants.COPYFILE_FICLONE);
  return { db: openForWriting(path), path };
}

/** Does some work with a file, which is deleted if that fails. */
function removedIfFailed<T>(db: DatabaseSync, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    remove(db, path);
    throw error;
  }
}

const ownPath = (directory: string): string => join(directory, `catalogue-${process.pid}.sqlite`);

/** Deletes the files of processes that have ended before they could. */
function deleteAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = /^catalogue-(\d+)\.sqlite$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(directory, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it belongs to another user
  }
}

/** Shares a file that is written completely. If several shards do so at the same time, the last one counts. */
function shareCatalogue(file: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}-${randomUUID()}.part`;
  copyFileSync(file, part, constants.COPYFILE_FICLONE);
  renameSync(part, path);
}
