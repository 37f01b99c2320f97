/** Fetches the pictures, recordings, texts and originals that records name into the snapshot: several hosts side by side, each file proven and once. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { type AllowedHosts, hostProblem } from '../../http/addresses.ts';
import { type Client, createClient } from '../../http/client.ts';
import { FetchFailure } from '../../http/failure.ts';
import { filesBelow } from '../../snapshot/files.ts';
import { rememberedHosts } from '../../snapshot/named-hosts.ts';
import { basesOf, mediaByUrl } from '../../snapshot/read.ts';
import { createSnapshot, openSnapshot, type Store } from '../../snapshot/store.ts';
import { type MediaRow, type MediaWriter, openMediaWriter } from '../../snapshot/write-media.ts';
import { createPurse, LeftOut, type Limits, type Purse } from './allowance.ts';
import { isThere, keepFile } from './keep.ts';
import { type Choice, planFiles, type WantedFile } from './plan.ts';
import { discard, receive } from './receive.ts';
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
    const { hosts, wanted, missing, kept, elsewhere, streamOnly } = prepare(store, options);
    const writer = openMediaWriter(store);
    removeStrayParts(store.dir, writer);
    const report: MediaReport = {
      wanted: wanted.length,
      fetched: 0,
      kept,
      bytes: 0,
      shared: 0,
      resumed: 0,
      failures: [],
      quarantined: [],
      elsewhere: tally(elsewhere),
      unreachable: [],
      overBudget: 0,
      tooLarge: [],
      streamOnly,
    };
    assertRoomFor(Math.min(bytesToFetch(missing, options, store.dir), options.budget ?? Number.POSITIVE_INFINITY), store.dir);
    announceMentioned(missing, hosts, options);
    const client = createMediaClient(hosts, options);
    try {
      const purse = createPurse(options, store.dir);
      const run = { store, client, writer, purse, report };
      let done = 0;
      await perHost(missing, options.concurrency, async (file, signal) => {
        await fetchOne(file, run, signal);
        options.onProgress?.(++done, missing.length, purse.spent());
      });
    } finally {
      await client.close();
      writer.close();
    }
    for (const lines of [report.failures, report.quarantined, report.tooLarge]) lines.sort((a, b) => (a.url < b.url ? -1 : 1));
    return report;
  } finally {
    store.close();
  }
}

/** What is before a run: whom it may ask, and which of the wanted files are to be fetched, are there, or stand with others. @throws UserError as `planFiles` */
export function prepare(store: Store, options: Choice & Pick<Manners, 'allowHosts'>) {
  const { wanted, streamOnly } = planFiles(store, options);
  const hosts = hostsOf(store, options);
  const isAllowed = ({ url }: WantedFile) => hostProblem(new URL(url).host, hosts) === undefined;
  const allowed = wanted.filter(isAllowed);
  const elsewhere = wanted.filter((file) => !isAllowed(file));
  const missing = allowed.filter(({ url }) => !isStored(store, url));
  return { hosts, wanted, missing, kept: allowed.length - missing.length, elsewhere, streamOnly };
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
function isStored(store: Store, url: string): boolean {
  const row = mediaByUrl(store, url);
  return row?.state === 'stored' && isThere(row, store.dir);
}

/** Bytes that files are said to have; what is too large anyway does not count. */
function bytesToFetch(files: WantedFile[], { maxFile = Number.POSITIVE_INFINITY }: Limits, dir: string): number {
  const most = Math.min(maxFile, roomOn(dir));
  return files.reduce((sum, { size = 0 }) => sum + (size > most ? 0 : size), 0);
}

/** Works on files host by host, side by side, so many of each at once. The first error that is no file's own ends it all. */
async function perHost(
  files: WantedFile[],
  concurrency: number,
  work: (file: WantedFile, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const queues = [...Map.groupBy(files, ({ url }) => new URL(url).host).values()].map((own) => {
    const queue = new PQueue({ concurrency });
    for (const file of own) {
      void queue.add(async () => {
        if (stop.signal.aborted) return;
        await work(file, stop.signal).catch((error: unknown) => {
          if (!stop.signal.aborted) stop.abort(error);
        });
      });
    }
    return queue;
  });
  await Promise.all(queues.map((queue) => queue.onIdle()));
  stop.signal.throwIfAborted();
}

interface Run {
  store: Store;
  client: Client;
  writer: MediaWriter;
  purse: Purse;
  report: MediaReport;
}

/** Fetches one file and enters what became of it. @throws what is no file's own fault. */
async function fetchOne(file: WantedFile, run: Run, signal: AbortSignal): Promise<void> {
  const { client, store, writer, purse, report } = run;
  const { url, owner } = file;
  const { host } = new URL(url);
  const unreachable = report.unreachable.find((one) => one.host === host);
  if (unreachable) {
    unreachable.count++;
    return;
  }
  const allowance = purse.open();
  try {
    if (file.size !== undefined) allowance.expect(file.size);
    const received = await receive(file, client, { dir: store.dir, writer, allowance, signal });
    const row = await keepFile(file, received, store.dir, writer);
    if (row.state === 'stored') {
      report.fetched++;
      report.bytes += row.size ?? 0;
      if (!row.path?.startsWith(file.base)) report.shared++;
      if (received.resumed > 0) report.resumed++;
    } else enterFailure(row, run);
  } catch (error) {
    if (error instanceof LeftOut) {
      if (error.why === 'budget') report.overBudget++;
      else if (error.why === 'size') {
        await discard(file, store.dir, writer);
        report.tooLarge.push({ url, owner, size: error.size ?? file.size ?? null });
      } else enterFailure(failed(file, error.message), run);
    } else if (error instanceof FetchFailure) {
      // Others that were under way may have found the same already.
      if (error.silent && !report.unreachable.some((one) => one.host === host))
        report.unreachable.push({ host, count: 0, cause: error.message });
      enterFailure(failed(file, error.message, error.status), run);
    } else throw error;
  } finally {
    allowance.done();
  }
}

function failed({ url, owner, kind }: WantedFile, cause: string, status?: number): MediaRow {
  return { url, owner, kind, state: 'failed', fetchedAt: new Date().toISOString(), status, cause };
}

/** A failure goes into the report and, where nothing better is known of the file, into the snapshot. */
function enterFailure(row: MediaRow, { store, writer, report }: Run): void {
  const { url, owner, cause = 'unknown', path } = row;
  if (row.state === 'quarantined' && path !== undefined) report.quarantined.push({ url, owner, cause, path });
  else {
    report.failures.push({ url, owner, cause });
    const before = mediaByUrl(store, url);
    if (before === undefined || before.state === 'failed') writer.put(row);
  }
}

/** Removes parts that nothing is known of: they cannot be gone on with. */
function removeStrayParts(dir: string, writer: MediaWriter): void {
  const known = new Set(writer.parts().map(({ path }) => path));
  for (const [path, file] of filesBelow(join(dir, 'media'))) {
    if (path.endsWith('.part') && !known.has(`media/${path}`)) rmSync(file, { force: true });
  }
}

function tally(files: WantedFile[]): Array<{ host: string; count: number }> {
  return [...Map.groupBy(files, ({ url }) => new URL(url).host)].map(([host, own]) => ({ host, count: own.length }));
}
