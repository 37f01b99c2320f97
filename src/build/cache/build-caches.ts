/** Opens the caches of builds: one directory per site, and the derivative cache, which all sites share. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { cataloguesDirectory, derivativesDirectory, siteCacheDirectory } from '../../derivatives/cache-directories.ts';
import { firstError } from '../../model/errors.ts';
import { forgetWhole } from '../../platform/known-whole.ts';
import { isDamagedDatabase } from '../../platform/sqlite-errors.ts';
import { EditedLinkError } from '../../publish/files/compare-files.ts';
import { COPIES_DIRECTORY } from '../../publish/files/compress-files.ts';
import { nameOfShard, type Shard } from '../shards/shard.ts';

/** In each site's cache: the directory of its site. */
const OUT_FILE = 'out.txt';
/** In the cache of a shard: its name. The directory of the shard may be on another machine. */
const SHARD_FILE = 'shard.txt';
/** In each site's cache, from the start to the end of a build, so that no other one deletes the cache. */
const UNFINISHED_FILE = 'unfinished';
/** In each site's cache: the SHA-256 of the media files whose derivatives the site uses. */
const USED_FILE = 'used.txt';
/** In each site's cache: the pages and IIIF documents that a build makes, until it publishes them. */
export const RENDERED_DIRECTORY = 'rendered';
/** In each site's cache: the search index. */
export const SEARCH_DIRECTORY = 'search-index';
/** In each site's cache: packs of pages and thumbnails, and pages of a compact site. */
export const COMPACT_DIRECTORY = 'compact';
/** Beside that directory: from what its files were made. */
export const COMPACT_CONTENT_SUFFIX = '.json';
const DAY_MS = 86_400_000;
/** Derivatives and caches of shards that no build has used for this time are deleted. */
const MAX_UNUSED_MS = 90 * DAY_MS;
/** A derivative that is used is marked again after this time. The next build then reads it again: its timestamps differ. */
const MARKED_EVERY_MS = 30 * DAY_MS;

/** The caches of one site, during one build. */
export type SiteCache = ReturnType<typeof openSiteCache>;

/**
 * Opens the cache of the site, or of a shard of it, in the directory `out`. If `clean` is set, empties it first, and deletes the
 * derivatives that the site has used. `now` is in milliseconds.
 */
export function openSiteCache(
  root: string,
  out: string,
  { clean, shard, now = Date.now() }: { clean: boolean; shard?: Shard | undefined; now?: number },
) {
  const directory = siteCacheDirectory(root, out, shard && nameOfShard(shard));
  const unfinished = join(directory, UNFINISHED_FILE);
  const derivatives = derivativesDirectory(root);
  const usedFile = join(directory, USED_FILE);
  if (clean && fs.existsSync(usedFile)) deleteDerivatives(derivatives, fs.readFileSync(usedFile, 'utf8').split('\n'));
  if (clean) fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(directory, { recursive: true });
  writeCacheDirTag(root);
  const writtenSince = beginBuild(unfinished);
  fs.writeFileSync(join(directory, OUT_FILE), out);
  if (shard) fs.writeFileSync(join(directory, SHARD_FILE), nameOfShard(shard));
  fs.mkdirSync(derivatives, { recursive: true });
  prune(root, now);
  return {
    /** Directory of this site's cache. */
    directory,
    /** When builds began to write to the cache since the last complete one, by the clock of its file system: milliseconds. */
    writtenSince,
    /** Directory of the catalogues that shards share; undefined if `clean` is set. */
    catalogues: clean ? undefined : cataloguesDirectory(root),
    /** Directory of the derivative cache, which all sites share. */
    derivatives,
    /** Records the SHA-256 of the media files whose derivatives this build uses. */
    noteUsedFiles(sha256: Iterable<string>) {
      const sorted = [...new Set(sha256)].sort();
      fs.writeFileSync(usedFile, sorted.join('\n'));
      updateTimestamps(derivatives, new Set(sorted), now);
    },
    /** Records that this build uses the same media files as the last one. */
    noteSameFiles() {
      if (fs.existsSync(usedFile)) updateTimestamps(derivatives, new Set(fs.readFileSync(usedFile, 'utf8').split('\n')), now);
    },
    /** Marks the build as complete, and deletes what the next one will not use. */
    finish({ compact: isCompact }: { compact: boolean }) {
      removeUnused(directory, isCompact);
      fs.rmSync(unfinished, { force: true });
    },
  };
}

/** Marks a build as unfinished. Returns when it began, or the first one since the last complete one: in milliseconds. */
function beginBuild(file: string): number {
  const before = fs.existsSync(file) ? Number.parseFloat(fs.readFileSync(file, 'utf8')) : Number.NaN;
  fs.writeFileSync(file, String(before)); // its timestamp says that a build is in progress
  const since = Number.isNaN(before) ? fs.statSync(file).mtimeMs : before;
  fs.writeFileSync(file, String(since));
  return since;
}

/** Deletes what the site may have links to, so that it is made again. */
export function deleteLinkedFiles({ directory }: Pick<SiteCache, 'directory'>): void {
  for (const name of [SEARCH_DIRECTORY, COMPACT_DIRECTORY]) fs.rmSync(join(directory, name), { recursive: true, force: true });
}

/**
 * Makes a site with what is in its cache. If that is of no use, makes it again without: a file was edited through its link in the
 * site, or a database is damaged. `make` gets when this build began to write to the cache, or undefined if it writes all of it.
 */
export async function createWithCache<Result>(
  cache: Pick<SiteCache, 'directory' | 'writtenSince'>,
  make: (writtenSince: number | undefined) => Promise<Result>,
): Promise<Result> {
  try {
    return await make(cache.writtenSince);
  } catch (failure) {
    const error = firstError(failure);
    if (error instanceof EditedLinkError) deleteLinkedFiles(cache);
    else if (isDamagedDatabase(error)) forgetWhole(cache.directory);
    else throw error;
    return make(undefined);
  }
}

/** Deletes rendered pages and compressed copies that were not published, and files of other kinds of site. */
function removeUnused(directory: string, isCompact: boolean): void {
  const ofCompactSites = [
    'pages',
    'pages.sqlite',
    'pages.sqlite-wal',
    'pages.sqlite-shm',
    'pages.sqlite.whole',
    COMPACT_DIRECTORY,
    `${COMPACT_DIRECTORY}${COMPACT_CONTENT_SUFFIX}`,
  ];
  for (const name of [RENDERED_DIRECTORY, COPIES_DIRECTORY, ...(isCompact ? [] : ofCompactSites)])
    fs.rmSync(join(directory, name), { recursive: true, force: true });
}

/**
 * Deletes the derivatives of media files, the catalogues that shards share, and the caches of all sites, because pages may show
 * them. The next builds render all pages.
 */
export function deleteCachedFiles(root: string, sha256: Iterable<string>): void {
  for (const name of fs.existsSync(root) ? fs.readdirSync(root) : []) {
    const directory = join(root, name);
    if (fs.existsSync(join(directory, OUT_FILE))) fs.rmSync(directory, { recursive: true, force: true });
  }
  fs.rmSync(cataloguesDirectory(root), { recursive: true, force: true });
  deleteDerivatives(derivativesDirectory(root), sha256);
}

function deleteDerivatives(derivatives: string, sha256: Iterable<string>): void {
  for (const name of listDerivatives(derivatives, new Set(sha256)))
    fs.rmSync(join(derivatives, name), { recursive: true, force: true });
}

/** Returns the names of all derivatives of media files. */
function listDerivatives(directory: string, sha256: ReadonlySet<string>): string[] {
  return fs.existsSync(directory) ? fs.readdirSync(directory).filter((name) => sha256.has(name.slice(0, name.indexOf('-')))) : [];
}

/** Excludes a directory from version control and backups (https://bford.info/cachedir/). */
function writeCacheDirTag(root: string): void {
  for (const [name, text] of [
    ['.gitignore', '*\n'],
    ['CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n# Made by Microfiche; it can be deleted.\n'],
  ] as const)
    if (!fs.existsSync(join(root, name))) fs.writeFileSync(join(root, name), text);
}

/** Deletes caches of sites that no longer exist, and long unused derivatives and caches of shards. */
function prune(root: string, now: number): void {
  for (const name of fs.readdirSync(root)) {
    const directory = join(root, name);
    const outFile = join(directory, OUT_FILE);
    if (!fs.existsSync(outFile)) continue;
    const unfinished = statsOf(join(directory, UNFINISHED_FILE));
    if (unfinished && now - unfinished.mtimeMs < DAY_MS) continue; // a build is in progress
    const isUnused = fs.existsSync(join(directory, SHARD_FILE))
      ? now - (statsOf(outFile)?.mtimeMs ?? now) > MAX_UNUSED_MS
      : !fs.existsSync(fs.readFileSync(outFile, 'utf8'));
    if (isUnused) fs.rmSync(directory, { recursive: true, force: true });
  }
  const catalogues = cataloguesDirectory(root);
  for (const [name, age] of agesOf(catalogues, now)) if (age > DAY_MS) fs.rmSync(join(catalogues, name), { force: true });
  const derivatives = derivativesDirectory(root);
  for (const [name, age] of agesOf(derivatives, now)) {
    if (age > MAX_UNUSED_MS || (name.endsWith('.part') && age > DAY_MS))
      fs.rmSync(join(derivatives, name), { recursive: true, force: true });
  }
}

/** Returns what is in a directory, if it exists, each with the milliseconds since it was last changed. */
function agesOf(directory: string, now: number): Array<[name: string, age: number]> {
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
  return names.map((name) => [name, now - (statsOf(join(directory, name))?.mtimeMs ?? now)]);
}

function updateTimestamps(derivatives: string, sha256: ReadonlySet<string>, now: number): void {
  const date = new Date(now);
  for (const name of listDerivatives(derivatives, sha256)) {
    const stats = statsOf(join(derivatives, name));
    if (stats && now - stats.mtimeMs > MARKED_EVERY_MS) fs.utimesSync(join(derivatives, name), date, date);
  }
}

const statsOf = (path: string): fs.Stats | undefined => fs.statSync(path, { throwIfNoEntry: false });
