/** The catalogue of a site and its file: as the last build left them, brought up to date, or made. */
import { constants, copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Catalogue, type CatalogueStore, type ReadCatalogue, readCatalogueAgain } from '../catalogue/catalogue.ts';
import { createCatalogueFile, openForWriting, type RecordChanges, updateCatalogueFile } from '../catalogue/catalogue-file.ts';
import {
  countChangedRecords,
  earlierCatalogueIn,
  isUnusable,
  openEarlierFile,
  readState,
  readStoredCatalogue,
  writeReading,
} from '../catalogue/catalogue-state.ts';
import { snapshotStamp } from '../snapshot/snapshot-stamp.ts';
import { hashOfMedia, keepOpenForReading, type SiteMedia, writeMedia, writeSnapshotLookups } from './site-source.ts';

/** In the cache of a site: the catalogue of the last complete build. */
const LAST = 'catalogue.sqlite';

/** The catalogue file of a build. When the build is complete, it replaces that of the last one. */
export interface CatalogueFile {
  db: DatabaseSync;
  path: string;
  /** The records that changed since the last complete build; undefined if there is none, or its catalogue cannot be used. */
  changes: RecordChanges | undefined;
  /**
   * The keys of everything that pages would read otherwise than in the last complete build (src/catalogue/read-keys.ts); undefined if that is not
   * known.
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
  /** Writes the catalogue file, with what is known of media. Called once. */
  toFile(media: SiteMedia): CatalogueFile;
  /** Closes what `toFile` would have used. */
  close(): void;
}

/**
 * Reads the catalogue of a site. What did not change is taken from the file of the last build in `directory`, if its key is the same: a hash of the
 * program and of all settings that decide what a catalogue shows. A file that is damaged is not used. `now` is in milliseconds.
 */
export function readSiteCatalogue(store: CatalogueStore, directory: string, key: string, now = Date.now()): SiteCatalogue {
  deleteAbandoned(directory);
  const origin = { key, stamp: snapshotStamp(store, now) ?? '' };
  const last = openEarlierFile(join(directory, LAST));
  try {
    return readFrom(store, directory, origin, last);
  } catch (error) {
    last?.close();
    if (!last || !isUnusable(error)) throw error;
    return readFrom(store, directory, origin, undefined);
  }
}

function readFrom(
  store: CatalogueStore,
  directory: string,
  origin: { key: string; stamp: string },
  last: DatabaseSync | undefined,
): SiteCatalogue {
  const isUsable = last !== undefined && readState(last, 'key') === origin.key;
  const close = () => last?.close();
  if (isUsable && origin.stamp !== '' && readState(last, 'stamp') === origin.stamp)
    return { catalogue: readStoredCatalogue(last), toFile: (media) => openUnchanged(directory, last, media), close };
  const read = readCatalogueAgain(store, isUsable ? earlierCatalogueIn(last) : undefined);
  const toFile = (media: SiteMedia): CatalogueFile => {
    if (!last) return createFile(directory, read, media, origin);
    if (!isUsable) {
      const changes = unlessDamaged(() => countChangedRecords(last, read.catalogue.objects));
      last.close();
      return { ...createFile(directory, read, media, origin), changes };
    }
    last.close();
    const updated = unlessDamaged(() => updateFile(directory, read, media, origin));
    return updated ?? createFile(directory, read, media, origin);
  };
  return { catalogue: read.catalogue, toFile, close };
}

/** Returns the file of the last build, if nothing is known otherwise of media files; else a copy. */
function openUnchanged(directory: string, last: DatabaseSync, media: SiteMedia): CatalogueFile {
  const changes: RecordChanges = { added: 0, changed: 0, removed: 0 };
  if (readState(last, 'media') === hashOfMedia(media)) {
    keepOpenForReading(last);
    return {
      ...{ db: last, path: join(directory, LAST), changes, changedKeys: new Set() },
      keep: () => Promise.resolve(),
      close: () => last.close(),
    };
  }
  last.close();
  const { db, path } = copyLast(directory);
  const changedKeys = writeMedia(db, media);
  return { ...opened(directory, path, db), changes, changedKeys };
}

function updateFile(
  directory: string,
  read: ReadCatalogue,
  media: SiteMedia,
  origin: { key: string; stamp: string },
): CatalogueFile {
  const { db, path } = copyLast(directory);
  try {
    const { records, keys } = updateCatalogueFile(db, read.catalogue, read);
    const changedKeys = keys.union(writeReadingAndLookups(db, read, media, origin));
    return { ...opened(directory, path, db), changes: records, changedKeys };
  } catch (error) {
    db.close();
    rmSync(path, { force: true });
    throw error;
  }
}

function createFile(
  directory: string,
  read: ReadCatalogue,
  media: SiteMedia,
  origin: { key: string; stamp: string },
): CatalogueFile {
  const path = ownPath(directory);
  rmSync(path, { force: true });
  const db = createCatalogueFile(read.catalogue, path, read.people);
  writeReadingAndLookups(db, read, media, origin);
  return { ...opened(directory, path, db), changes: undefined, changedKeys: undefined };
}

/** Returns the keys of all reads of lookups whose results differ. */
function writeReadingAndLookups(
  db: DatabaseSync,
  read: ReadCatalogue,
  media: SiteMedia,
  origin: { key: string; stamp: string },
): Set<string> {
  writeReading(db, read, origin);
  const { catalogue, sourceVersions } = read;
  return writeSnapshotLookups(db, catalogue.facts.emptyFiles, sourceVersions).union(writeMedia(db, media));
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
    },
    close() {
      db.close();
      rmSync(path, { force: true });
    },
  };
}

/** Syncs a file to the disk, so that it is whole after a power failure: the next build trusts it. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Copies the file of the last build; where the file system can, as a clone. */
function copyLast(directory: string): { db: DatabaseSync; path: string } {
  const path = ownPath(directory);
  rmSync(path, { force: true });
  copyFileSync(join(directory, LAST), path, constants.COPYFILE_FICLONE);
  return { db: openForWriting(path), path };
}

function ownPath(directory: string): string {
  return join(directory, `catalogue-${process.pid}.sqlite`);
}

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

function unlessDamaged<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isUnusable(error)) return undefined;
    throw error;
  }
}
