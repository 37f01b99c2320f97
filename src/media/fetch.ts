/** Fetches the pictures, recordings and texts that records name into the snapshot's media folder, under names made from ids. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import PQueue from 'p-queue';
import { type Client, createClient } from '../http/client.ts';
import { FetchFailure } from '../http/failure.ts';
import { parseId } from '../model/ids.ts';
import type { MediaKind } from '../model/media.ts';
import { fileName } from '../model/portable.ts';
import { extensionOf, sniffType } from '../model/sniff.ts';
import { mediaByUrl, meta } from '../snapshot/read.ts';
import { createSnapshot, openSnapshot } from '../snapshot/store.ts';
import { type MediaRow, openMediaWriter } from '../snapshot/write-media.ts';
import { type WantedFile, wantedFiles } from './plan.ts';

export interface MediaOptions {
  /** The snapshot's folder. */
  snapshot: string;
  kinds: ReadonlySet<MediaKind>;
  /** Further hosts that files may be fetched from, besides the two of the harvest. */
  allowHosts: string[];
  /** Bytes to fetch in all at most. */
  budget: number | undefined;
  concurrency: number;
  /** Seconds. */
  timeout: number;
  ignoreRobots: boolean;
  userAgent: string;
  onProgress?: (done: number, total: number) => void;
}

export interface MediaReport {
  wanted: number;
  /** Fetched in this run. */
  fetched: number;
  /** Already there from an earlier run. */
  kept: number;
  bytes: number;
  failures: Array<{ url: string; owner: string; cause: string }>;
  /** On hosts that were not named. */
  elsewhere: Array<{ host: string; count: number }>;
  /** Left for another run, since the budget was used up. */
  overBudget: number;
}

/** Larger files are refused: they would be held in memory whole. */
const MAX_FILE = 200 * 1024 * 1024;
/** A whole file may take so many times as long as its first byte. */
const BODY_TIMES = 10;

/** What a file of each kind must be by its first bytes: a login page is no photograph. */
const EXPECTED: Readonly<Record<MediaKind, { noun: string; types: RegExp }>> = {
  thumb: { noun: 'a picture', types: /^image\// },
  image: { noun: 'a picture', types: /^image\// },
  audio: { noun: 'a recording', types: /^audio\/|^video\/(?:ogg|mp4)$/ }, // containers that may hold sound alone
  video: { noun: 'a recording', types: /^video\// },
  transcript: { noun: 'a transcript', types: /^text\/|^application\/pdf$/ },
  original: { noun: 'an original', types: /^(?!text\/html$)/ },
};

/** @throws UserError when there is no snapshot. A file that cannot be had is a line in the report. */
export async function fetchMedia(options: MediaOptions): Promise<MediaReport> {
  openSnapshot(options.snapshot).close();
  const store = createSnapshot(options.snapshot);
  const hosts = new Set(options.allowHosts);
  for (const base of [meta(store, 'authors_url'), meta(store, 'catalog_url')]) if (base) hosts.add(new URL(base).host);
  const client = createClient({
    hosts,
    concurrency: options.concurrency,
    timeout: options.timeout * 1000,
    bodyTimeout: options.timeout * 1000 * BODY_TIMES,
    attempts: 5,
    backoff: 250,
    patience: 60_000,
    maxBytes: MAX_FILE,
    maxRedirects: 5,
    ignoreRobots: options.ignoreRobots,
    userAgent: options.userAgent,
    accept: '*/*',
  });
  try {
    const wanted = wantedFiles(store, options.kinds);
    const allowed = wanted.filter(({ url }) => hosts.has(new URL(url).host));
    const put = openMediaWriter(store);
    const report: MediaReport = {
      wanted: wanted.length,
      fetched: 0,
      kept: 0,
      bytes: 0,
      failures: [],
      elsewhere: tally(wanted.filter(({ url }) => !hosts.has(new URL(url).host))),
      overBudget: 0,
    };
    const queue = new PQueue({ concurrency: options.concurrency });
    let done = 0;
    let broken: unknown;
    for (const file of allowed) {
      void queue
        .add(async () => {
          const before = mediaByUrl(store, file.url);
          if (before?.state === 'stored' && before.path !== null && existsSync(join(options.snapshot, before.path))) {
            report.kept++;
          } else if (options.budget !== undefined && report.bytes >= options.budget) {
            report.overBudget++;
          } else {
            const row = await fetchOne(file, client, options.snapshot);
            put(row);
            if (row.state === 'stored') {
              report.fetched++;
              report.bytes += row.size ?? 0;
            } else report.failures.push({ url: file.url, owner: file.owner, cause: row.cause ?? 'unknown' });
          }
          options.onProgress?.(++done, allowed.length);
        })
        .catch((error: unknown) => {
          queue.clear();
          broken ??= error;
        });
    }
    await queue.onIdle();
    if (broken !== undefined) throw broken;
    report.failures.sort((a, b) => (a.url < b.url ? -1 : 1));
    return report;
  } finally {
    await client.close();
    store.close();
  }
}

async function fetchOne(file: WantedFile, client: Client, dir: string): Promise<MediaRow> {
  const { url, owner, kind } = file;
  const failed = (cause: string, status: number | undefined): MediaRow => ({
    url,
    owner,
    kind,
    state: 'failed',
    fetchedAt: new Date().toISOString(),
    status,
    cause,
  });
  try {
    const { body, status, fetchedAt } = await client.get(url);
    const mimetype = sniffType(body);
    const extension = extensionOf(mimetype);
    const { noun, types } = EXPECTED[kind];
    if (mimetype === undefined || extension === undefined || !types.test(mimetype))
      return failed(
        `the answer is ${mimetype === 'text/html' ? 'a web page' : (mimetype ?? 'something unknown')}, not ${noun}`,
        status,
      );
    const path = `media/${fileName(parseId(owner).collection ?? owner)}/${fileName(owner)}.${kind}.${extension}`;
    await writeWhole(join(dir, path), body);
    return {
      url,
      owner,
      kind,
      state: 'stored',
      path,
      sha256: createHash('sha256').update(body).digest('hex'),
      size: body.length,
      mimetype,
      fetchedAt,
      status,
    };
  } catch (error) {
    if (error instanceof FetchFailure) return failed(error.message, error.status);
    throw error;
  }
}

/** A file is there whole under its name, or not at all. */
async function writeWhole(file: string, body: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part`, body);
  await rename(`${file}.part`, file);
}

function tally(files: WantedFile[]): Array<{ host: string; count: number }> {
  return [...Map.groupBy(files, ({ url }) => new URL(url).host)].map(([host, own]) => ({ host, count: own.length }));
}
