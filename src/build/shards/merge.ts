/** Merges the shards of a site: checks that they belong together and are whole, and publishes their files as one site. */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { createVisibleStore } from '../../catalogue/read/visible-store.ts';
import { NOTHING_WITHHELD } from '../../catalogue/read/withholding.ts';
import { JOURNAL_FILE, LOCK_FILE, RESERVED_NAMES } from '../../catalogue/urls.ts';
import { cacheRootDirectory } from '../../derivatives/cache-directories.ts';
import { UserError } from '../../model/errors.ts';
import { isRegularFile } from '../../platform/directory-entries.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError } from '../../platform/safe-directory.ts';
import { isSystemPath } from '../../platform/system-files.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { walkDirectory } from '../../platform/walk.ts';
import type { SiteFile } from '../../publish/files/compare-files.ts';
import { assertPublishable, type PublishResult, publish } from '../../publish/files/publish.ts';
import { lockSite } from '../../publish/files/site-lock.ts';
import { openSiteState, stampOf } from '../../publish/files/site-state.ts';
import { MANIFEST_FILE, readManifest, SIGNATURE_FILE } from '../../publish/manifest.ts';
import { assertSameArchive, readSiteIdentity, snapshotFingerprint } from '../../publish/site-identity.ts';
import { assertWithholdsNoLess, withheldFromSite } from '../../publish/withheld-before.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { openSnapshot } from '../../snapshot/store.ts';
import { createWithCache, openSiteCache } from '../cache/build-caches.ts';
import { hashOfProgram } from '../cache/program-cache.ts';
import { mergeSearch, PART_DATA_DIRECTORY, PART_DATA_FILE } from '../search/merge-search.ts';
import { completeSite } from '../steps/complete-site.ts';
import { isFirst } from './shard.ts';
import { readShard, SHARD_FILE } from './shard-description.ts';

/** Options of a merge. */
export interface MergeOptions {
  /** Directory of the site. */
  out: string;
  /** Directories of the shards, in any order. */
  shards: readonly string[];
  /** Directory of the snapshot from which they must have been built; undefined: any, but all the same. */
  snapshot: string | undefined;
  /** Whether the site may withhold less than the one that it replaces. */
  withholdLess?: boolean | undefined;
  onProgress?: (done: number, total: number) => void;
}

/** Result of a merge. */
export type MergeReport = Awaited<ReturnType<typeof mergeShards>>;

type OpenShard = ReturnType<typeof openShard>;

/**
 * Merges shards to a site.
 * @throws {UserError} if they do not belong together, one is missing or damaged, or if `out` contains anything but a site of this
 * archive
 */
export async function mergeShards({ out, shards, snapshot, withholdLess, onProgress }: MergeOptions) {
  assertPublishable(resolve(out));
  const opened = shards.map(openShard);
  const [first] = opened;
  if (!first) throw new UserError('Name the directories of the shards to merge.');
  for (const shard of opened) assertSameBuild(first, shard);
  assertComplete(opened);
  if (first.description.program !== hashOfProgram())
    throw new UserError(
      `The shard in ${first.directory} was built by another version of Microfiche or Node than this one. Merge with the version that built the shards.`,
    );
  if (snapshot !== undefined) assertBuiltFrom(snapshot, first);
  const identity = readSiteIdentity(first.safeDir.root);
  if (!identity) throw damaged(first.directory, 'it does not name its archive');
  using lock = lockSite(resolve(out));
  const unknownArchive = assertSameArchive(identity, lock.out);
  const { directory } = opened.find(({ description }) => isFirst(description.shard)) ?? first;
  const withheld = withheldFromSite(directory);
  if (!withholdLess) assertWithholdsNoLess('site', lock.out, withheld);
  if (!withholdLess && snapshot !== undefined) assertWithholdsNoLess('snapshot', snapshot, withheld);
  const published = await publishSite(await readFiles(opened, onProgress), lock.out, first);
  return { ...published, shards: opened.length, notes: unknownArchive === undefined ? [] : [unknownArchive] };
}

function openShard(directory: string) {
  const description = readShard(directory);
  const safeDir = toSafeDirectory(directory);
  if (isRegularFile(safeDir, JOURNAL_FILE)) throw damaged(directory, 'its build was interrupted');
  const manifest = readManifest(directory);
  const listed = new Set([MANIFEST_FILE, SIGNATURE_FILE, ...manifest.map(({ path }) => path)]);
  for (const { path } of manifest)
    if (NOT_OF_SITES.has(path.split('/')[0] as string)) throw damaged(directory, `its manifest names ${toPrintable(path)}`);
  for (const [path, entry] of walkDirectory(safeDir.root))
    if (!listed.has(path) && path !== LOCK_FILE && !(entry.isFile() && isSystemPath(path)))
      throw new UserError(
        `${toPrintable(path)} is not in the manifest of the shard in ${directory}. Delete the file if it is not of the shard; otherwise build this shard again.`,
      );
  const lines = manifest.filter(({ path }) => path !== SHARD_FILE);
  return { directory, safeDir, description, lines };
}

/** A shard that was built here has no such files in its manifest. */
const NOT_OF_SITES: ReadonlySet<string> = new Set([...RESERVED_NAMES, MANIFEST_FILE, SIGNATURE_FILE]);

function damaged(directory: string, problem: string): UserError {
  return new UserError(`The shard in ${directory} cannot be used: ${problem}. Build this shard again, then merge.`);
}

/** What shards have in common, and how a message names it. */
const COMMON = [
  ['snapshot', 'from another snapshot'],
  ['program', 'from another version of Microfiche or Node'],
  ['options', 'with other options'],
  ['withholding', 'with another setting of "withhold"'],
  ['content', 'from another state of the snapshot'],
  ['media', 'from other media files, or with other programs for them'],
  ['searchParts', 'with another division of the search index'],
] as const;

/** @throws {UserError} if two shards are not of the same build */
function assertSameBuild(first: OpenShard, other: OpenShard): void {
  if (first.description.shard.of !== other.description.shard.of)
    throw new UserError(
      `${first.directory} is one of ${first.description.shard.of} shards, and ${other.directory} one of ${other.description.shard.of}. Merge shards of one build.`,
    );
  for (const [field, what] of COMMON)
    if (first.description[field] !== other.description[field])
      throw new UserError(
        `The shards in ${first.directory} and ${other.directory} do not belong together: one was built ${what}. Build one of them again, then merge.`,
      );
}

/** @throws {UserError} if a shard is missing or given twice */
function assertComplete(shards: readonly OpenShard[]): void {
  const { of } = (shards[0] as OpenShard).description.shard;
  const byNumber = new Map<number, OpenShard>();
  for (const shard of shards) {
    const { number } = shard.description.shard;
    const other = byNumber.get(number);
    if (other) throw new UserError(`${other.directory} and ${shard.directory} are both shard ${number}/${of}. Leave one out.`);
    byNumber.set(number, shard);
  }
  if (byNumber.size === of) return;
  const missing: string[] = [];
  for (let number = 0; number < of && missing.length < MAX_NAMED; number++)
    if (!byNumber.has(number)) missing.push(`${number}/${of}`);
  const others = of - byNumber.size - missing.length;
  throw new UserError(
    `Missing of ${of} shards: ${missing.join(', ')}${others > 0 ? ` and ${others} others` : ''}. Build them with "microfiche build --shard", then merge all.`,
  );
}

/** Missing shards that a message names. */
const MAX_NAMED = 10;

/** @throws {UserError} if the shards were built from another snapshot */
function assertBuiltFrom(snapshot: string, { directory, description }: OpenShard): void {
  using store = openSnapshot(snapshot);
  if (snapshotFingerprint(createVisibleStore(store, { withholding: NOTHING_WITHHELD })) !== description.snapshot)
    throw new UserError(
      `The shard in ${directory} was not built from the present content of ${snapshot}. Build the shards again, then merge.`,
    );
}

/** Returns the files of all shards, whose checksums are verified. */
async function readFiles(shards: readonly OpenShard[], onProgress: MergeOptions['onProgress']): Promise<SiteFile[]> {
  const total = shards.reduce((count, { lines }) => count + lines.length, 0);
  const files = new Map<string, { sha256: string; directory: string; file: SiteFile }>();
  let done = 0;
  for (const { directory, safeDir, lines } of shards) {
    for (const { path, sha256 } of lines) {
      const file = findFile(safeDir, path, directory);
      const verifiedStamp = stampOf(statSync(file));
      if ((await sha256OfFile(file)) !== sha256) throw damaged(directory, `${path} was changed`);
      const other = files.get(path);
      if (other && other.sha256 !== sha256)
        throw new UserError(
          `${other.directory} and ${directory} have different files ${path}. Build both shards again, then merge.`,
        );
      files.set(path, { sha256, directory, file: { path, file, sha256, canLink: true, verifiedStamp } });
      if (++done % PROGRESS_INTERVAL === 0 || done === total) onProgress?.(done, total);
    }
  }
  return [...files.values()].map(({ file }) => file);
}

const PROGRESS_INTERVAL = 500;

function findFile(safeDir: SafeDirectory, path: string, directory: string): string {
  try {
    if (safeDir.stat(path)) return join(safeDir.root, path);
  } catch (error) {
    if (!(error instanceof UnsafePathError)) throw error;
    throw damaged(directory, `${path} is not a path inside it, or a symbolic link`);
  }
  throw damaged(directory, `${path} is missing`);
}

async function publishSite(
  files: readonly SiteFile[],
  out: string,
  { directory, description }: Pick<OpenShard, 'directory' | 'description'>,
): Promise<PublishResult> {
  const { compact: isCompact, kiosk, compress, searchParts } = description;
  const siteCache = openSiteCache(cacheRootDirectory(), out, { clean: false });
  const { directory: cacheDirectory } = siteCache;
  using state = openSiteState(join(cacheDirectory, 'site.sqlite'), 'merged');
  const isPartData = ({ path }: SiteFile) => path.startsWith(`${PART_DATA_DIRECTORY}/`);
  const data = files.filter((file) => isPartData(file) && basename(file.path) === PART_DATA_FILE);
  const partData = new Map(data.map(({ file }) => [basename(dirname(file as string)), dirname(file as string)]));
  const search = mergeSearch(partData, searchParts, join(cacheDirectory, 'merged-search'), (part) =>
    damaged(directory, `the data of ${part} of the search index is missing or damaged in one of the shards`),
  );
  const made = [...files.filter((file) => !isPartData(file)), ...search];
  const published = await createWithCache(siteCache, (writtenSince) =>
    publish(completeSite(made, { compact: isCompact, kiosk, cacheDirectory, state }), out, state, {
      writtenSince,
      compression: { encodings: compress, cacheDirectory },
    }),
  );
  siteCache.finish({ compact: isCompact });
  return published;
}
