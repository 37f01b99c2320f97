/** Writes pages on a thread of its own, one after the other: rendering goes on meanwhile, and writes into one folder never wait for one another. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface PageWriter {
  /** Takes a page; waits only while many others are still to be written. Rejects once a page could not be written. */
  write(path: string, html: string): Promise<void>;
  /** Waits until every page is written. */
  end(): Promise<void>;
}

interface Page {
  path: string;
  html: string;
}
/** What the thread says of each page. */
interface Written {
  failure?: { message: string; code: string | undefined };
}

/** Pages that may wait to be written before rendering is held up. */
const MOST_WAITING = 256;
const ROLE = 'microfiche-page-writer';

/** Writes pages below the folder `out`. */
export function createPageWriter(out: string): PageWriter {
  const worker = new Worker(import.meta.filename, { workerData: { role: ROLE, out } });
  let waiting = 0;
  let failure: Error | undefined;
  let wakers: Array<() => void> = [];
  const settle = () => {
    const ready = wakers;
    wakers = [];
    for (const wake of ready) wake();
  };
  worker.on('message', ({ failure: said }: Written) => {
    waiting--;
    if (said) failure ??= Object.assign(new Error(said.message), { code: said.code });
    settle();
  });
  worker.on('error', (error) => {
    failure ??= error as Error;
    settle();
  });
  const until = async (enough: () => boolean) => {
    while (failure === undefined && !enough()) await new Promise<void>((wake) => wakers.push(wake));
    if (failure !== undefined) throw failure;
  };
  return {
    async write(path, html) {
      await until(() => waiting < MOST_WAITING);
      waiting++;
      worker.postMessage({ path, html } satisfies Page);
    },
    async end() {
      try {
        await until(() => waiting === 0);
      } finally {
        await worker.terminate();
      }
    },
  };
}

if (!isMainThread && (workerData as { role?: string } | null)?.role === ROLE) {
  const { out } = workerData as { out: string };
  const folders = new Set<string>();
  parentPort?.on('message', ({ path, html }: Page) => parentPort?.postMessage(writePage(out, path, html, folders)));
}

function writePage(out: string, path: string, html: string, folders: Set<string>): Written {
  const file = join(out, path);
  const folder = dirname(file);
  try {
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    writeFileSync(file, html);
    return {};
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { failure: { message, code } };
  }
}
