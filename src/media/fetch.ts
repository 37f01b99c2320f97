/** Fetches the pictures, recordings, texts and originals that records name into the snapshot: several hosts side by side, each file proven and once. */
import { join } from 'node:path';
import { type AllowedHosts, hostProblem } from '../http/addresses.ts';
import { type Client, createClient } from '../http/client.ts';
import { UserError } from '../model/errors.ts';
import { type Contained, containedIn, UnsafePath } from '../platform/contained.ts';
import { filesBelow } from '../snapshot/files.ts';
import { removeMedia } from '../snapshot/media-files.ts';
import { rememberedHosts } from '../snapshot/named-hosts.ts';
import { basesOf, mediaByUrl } from '../snapshot/read.ts';
import { createSnapshot, openSnapshot, type Store } from '../snapshot/store.ts';
import { type MediaWriter, openMediaWriter } from '../snapshot/write-media.ts';
import { createPurse, type Limits } from './allowance.ts';
import { withinBudget } from './budget.ts';
import { openDisk } from './disk.ts';
import { download } from './download.ts';
import { isThere } from './keep.ts';
import { perHost } from './per-host.ts';
import { type Choice, planFiles, type WantedFile } from './plan.ts';
import { assertRoomFor, roomOn } from './room.ts';

export interface Manners {
  /** Further hosts that files may be fetched from, besides the two of the harvest. */
  allowHosts: string[];
  /** Requests at once to a host. */
  concurrency: number;
  /** Requests a second to a host; undefined: no limit. */
  rate: number | undefined;
  /** Seconds. */
  timeout: number;
  ignoreRobots: boolean;
  userAgent: string;
  /** Is told, before any request, of the hosts that will be asked because the snapshot names them, not the user. */
  onMentioned?: (hosts: string[]) => void;
}

export interface MediaOptions extends Choice, Limits, Manners {
  /** The snapshot's folder. */
  snapshot: string;
  onProgress?: (done: number, total: number, bytes: number) => void;
}

export interface FileLine {
  url: string;
  owner: string;
  cause: string;
}

export interface MediaReport {
  wanted: number;
  /** Fetched in this run. */
  fetched: number;
  /** Already there from an earlier run. */
  kept: number;
  /** Fetched in this run, bytes of files that were there from others taken in. */
  bytes: number;
  /** Files and bytes that the fetched ones are without duplicates. */
  distinctFiles: number;
  distinctBytes: number;
  /** Of the fetched ones: whose bytes another file has too, so that they are stored once. */
  shared: number;
  /** Of the fetched ones: gone on with where an earlier try had stopped. */
  resumed: number;
  failures: FileLine[];
  /** Fetched, and not what upstream says of them: kept apart, below the snapshot. */
  quarantined: Array<FileLine & { path: string }>;
  /** On hosts that were not named. */
  elsewhere: Array<{ host: string; count: number }>;
  /** On hosts that did not answer at all: the rest of their files was not asked for. */
  unreachable: Array<{ host: string; count: number; cause: string }>;
  /** Left for another run, since the budget does not reach. */
  overBudget: number;
  /** Larger than one file may be; `size` in bytes where it is known. */
  tooLarge: Array<{ url: string; owner: string; size: number | null }>;
  /** Recordings that may be played from their own host only. */
  streamOnly: number;
}

/** @throws UserError when there is no snapshot, or no room. A file that cannot be had is a line in the report. */
export async function fetchMedia(options: MediaOptions): Promise<MediaReport> {
  openSnapshot(options.snapshot).close();
  const store = createSnapshot(options.snapshot);
  try {
    const { hosts, uses, wanted, missing, kept, elsewhere, streamOnly } = prepare(store, options);
    const inside = containedIn(store.dir);
    assertRealFolders(inside);
    const writer = openMediaWriter(store);
    removeStrayParts(inside, writer);
    const isTooLarge = ({ size = 0 }: WantedFile) => size > (options.maxFile ?? Number.POSITIVE_INFINITY);
    const {
      files: within,
      over,
      bytes,
    } = withinBudget(
      missing.filter((file) => !isTooLarge(file)),
      options.budget,
    );
    const files = [...missing.filter(isTooLarge), ...within];
    const report = emptyReport({ wanted: wanted.length, kept, elsewhere: tally(elsewhere), overBudget: over.length, streamOnly });
    assertRoomFor(bytesToFetch(files, options, store.dir), store.dir);
    announceMentioned(files, hosts, options);
    const client = createMediaClient(hosts, options);
    const disk = openDisk(inside.root);
    try {
      writer.putUses(uses);
      const purse = createPurse(options, store.dir, disk.unwritten);
      const planned = new Set(options.budget === undefined ? [] : within);
      if (options.budget !== undefined) purse.plan(bytes);
      const run = { store, inside, disk, client, writer, purse, report, planned, distinct: new Set<string>() };
      let done = 0;
      await perHost(files, options.concurrency, async (file, signal) => {
        const rest = await download(file, run, signal);
        options.onProgress?.(++done, files.length, purse.spent());
        return rest;
      });
    } finally {
      await Promise.all([client.close(), disk.close()]);
      writer.close();
    }
    for (const lines of [report.failures, report.quarantined, report.tooLarge]) lines.sort((a, b) => (a.url < b.url ? -1 : 1));
    return report;
  } finally {
    store.close();
  }
}

function emptyReport(known: Pick<MediaReport, 'wanted' | 'kept' | 'elsewhere' | 'overBudget' | 'streamOnly'>): MediaReport {
  return {
    wanted: known.wanted,
    fetched: 0,
    kept: known.kept,
    bytes: 0,
    distinctFiles: 0,
    distinctBytes: 0,
    shared: 0,
    resumed: 0,
    failures: [],
    quarantined: [],
    elsewhere: known.elsewhere,
    unreachable: [],
    overBudget: known.overBudget,
    tooLarge: [],
    streamOnly: known.streamOnly,
  };
}

/** What is before a run: whom it may ask, and which of the wanted files are to be fetched, are there, or stand with others. @throws UserError as `planFiles` */
export function prepare(store: Store, options: Choice & Pick<Manners, 'allowHosts'>) {
  const { uses, wanted, streamOnly } = planFiles(store, options);
  const hosts = hostsOf(store, options);
  const isAllowed = ({ url }: WantedFile) => hostProblem(new URL(url).host, hosts) === undefined;
  const allowed = wanted.filter(isAllowed);
  const elsewhere = wanted.filter((file) => !isAllowed(file));
  const inside = containedIn(store.dir);
  const missing = allowed.filter(({ url }) => !isStored(store, url, inside));
  return { hosts, uses, wanted, missing, kept: allowed.length - missing.length, elsewhere, streamOnly };
}

/** The hosts that a snapshot's files may be fetched from: those that the user named, and the two that the snapshot says it is from, if they are public. */
export function hostsOf(store: Store, { allowHosts }: Pick<Manners, 'allowHosts'>): AllowedHosts {
  const { authors, catalog } = basesOf(store);
  return {
    named: new Set([...allowHosts, ...rememberedHosts(store)]),
    mentioned: new Set([authors, catalog].map((base) => new URL(base).host)),
  };
}

/** Says which hosts will be asked although only the snapshot names them, before any of them is. */
export function announceMentioned(
  files: ReadonlyArray<{ url: string }>,
  { named, mentioned }: AllowedHosts,
  { onMentioned }: Pick<Manners, 'onMentioned'>,
): void {
  const hosts = new Set(files.map(({ url }) => new URL(url).host));
  const only = [...hosts].filter((host) => !named.has(host) && mentioned?.has(host));
  if (only.length > 0) onMentioned?.(only.sort());
}

/** Asks for files: those are taken as they come, so the limit on bodies holds for robots.txt alone. */
export function createMediaClient(hosts: AllowedHosts, manners: Manners, { accept = '*/*', maxBytes = 1_000_000 } = {}): Client {
  return createClient({
    hosts,
    concurrency: manners.concurrency,
    rate: manners.rate,
    timeout: manners.timeout * 1000,
    bodyTimeout: manners.timeout * 1000,
    attempts: 5,
    backoff: 250,
    patience: 60_000,
    maxBytes,
    maxRedirects: 5,
    ignoreRobots: manners.ignoreRobots,
    userAgent: manners.userAgent,
    accept,
  });
}

/** Whether an earlier run has a file, whole as far as its length tells. */
function isStored(store: Store, url: string, inside: Contained): boolean {
  const row = mediaByUrl(store, url);
  return row?.state === 'stored' && isThere(row, inside);
}

/** Bytes that files are said to have; what is too large anyway does not count. */
function bytesToFetch(files: WantedFile[], { maxFile = Number.POSITIVE_INFINITY }: Limits, dir: string): number {
  const most = Math.min(maxFile, roomOn(dir));
  return files.reduce((sum, { size = 0 }) => sum + (size > most ? 0 : size), 0);
}

/** @throws UserError where media would be stored somewhere else: a snapshot that was handed on may lead anywhere. */
function assertRealFolders(inside: Contained): void {
  for (const folder of ['media', 'quarantine']) {
    try {
      inside.at(folder);
    } catch (error) {
      if (!(error instanceof UnsafePath)) throw error;
      throw new UserError(
        `${join(inside.root, folder)} is a symbolic link, and nothing is written across one: put the folder itself there, or the whole snapshot where it leads.`,
        { cause: error },
      );
    }
  }
}

/** Removes parts that nothing is known of: they cannot be resumed. */
function removeStrayParts(inside: Contained, writer: MediaWriter): void {
  const known = new Set(writer.parts().map(({ path }) => path));
  for (const [below] of filesBelow(join(inside.root, 'media'))) {
    const path = `media/${below}`;
    if (path.endsWith('.part') && !known.has(path)) removeMedia(inside, path);
  }
}

export function tally(files: readonly WantedFile[]): Array<{ host: string; count: number }> {
  return [...Map.groupBy(files, ({ url }) => new URL(url).host)].map(([host, own]) => ({ host, count: own.length }));
}
