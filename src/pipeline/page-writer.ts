/** Writes pages in a worker while rendering continues. It writes one page at a time, because parallel writes to a directory are slow. */
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type PostedError, toError, toPostedError } from '../platform/posted-error.ts';

/** A queue of pages to write. */
export interface PageWriter {
  /** Adds a page to the queue; waits while the queue is full. Rejects after any page failed. */
  write(path: string, html: string): Promise<void>;
  /** Waits until every page is written. Returns the SHA-256 of each, hexadecimal, by path. */
  end(): Promise<ReadonlyMap<string, string>>;
}

interface Page {
  path: string;
  html: string;
}

/** The worker's message about each page. */
type WriteResult = { path: string; sha256: string } | { failure: PostedError };

/** Pages in the queue; when it is full, rendering waits. */
const MAX_QUEUED = 256;
const WORKER_ROLE = 'microfiche-page-writer';

/** Starts a worker that writes pages into the directory `out`. */
export function createPageWriter(out: string): PageWriter {
  const worker = new Worker(import.meta.filename, { workerData: { role: WORKER_ROLE, out } });
  let queued = 0;
  let failure: Error | undefined;
  let wakers: Array<() => void> = [];
  const wakeAll = () => {
    const ready = wakers;
    wakers = [];
    for (const wake of ready) wake();
  };
  const written = new Map<string, string>();
  worker.on('message', (result: WriteResult) => {
    queued--;
    if ('failure' in result) failure ??= toError(result.failure);
    else written.set(result.path, result.sha256);
    wakeAll();
  });
  worker.on('error', (error) => {
    failure ??= error as Error;
    wakeAll();
  });
  const waitUntil = async (condition: () => boolean) => {
    while (failure === undefined && !condition()) await new Promise<void>((wake) => wakers.push(wake));
    if (failure !== undefined) throw failure;
  };
  return {
    async write(path, html) {
      await waitUntil(() => queued < MAX_QUEUED);
      queued++;
      worker.postMessage({ path, html } satisfies Page);
    },
    async end() {
      try {
        await waitUntil(() => queued === 0);
        return written;
      } finally {
        await worker.terminate();
      }
    },
  };
}

if (!isMainThread && (workerData as { role?: string } | null)?.role === WORKER_ROLE) {
  const { out } = workerData as { out: string };
  const directories = new Set<string>();
  parentPort?.on('message', ({ path, html }: Page) => parentPort?.postMessage(writePage(out, path, html, directories)));
}

function writePage(out: string, path: string, html: string, directories: Set<string>): WriteResult {
  const file = join(out, path);
  const directory = dirname(file);
  try {
    if (!directories.has(directory)) mkdirSync(directory, { recursive: true });
    directories.add(directory);
    const bytes = Buffer.from(html);
    writeFileSync(file, bytes);
    return { path, sha256: hash('sha256', bytes) };
  } catch (error) {
    return { failure: toPostedError(error) };
  }
}
