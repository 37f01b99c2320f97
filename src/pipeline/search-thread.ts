/** Writes parts of the search index in threads: each opens the catalogue file and the snapshot, and has a Pagefind process of its own. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createRecorder } from '../catalogue/recorder.ts';
import { toPostedError } from '../platform/posted-error.ts';
import { openThreadCalls, type Reply } from '../platform/thread-calls.ts';
import { createPreparation, type PrepareDocument } from '../search/prepare-document.ts';
import { type PartToWrite, writePart } from '../search/write-part.ts';
import type { Store } from '../snapshot/store.ts';
import { type OpenSite, openSite, type SiteSource } from './site-source.ts';
import { chosenThreads, possibleThreads } from './thread-count.ts';

const ROLE = 'microfiche-search';
/** Memory that a thread and its Pagefind process take at most, in bytes. */
const THREAD_MEMORY = 1.5 * 1024 ** 3;

/** Returns a function that prepares documents of a site. `recorder` records what the site reads. */
export function prepareFrom(
  { sites, store }: Pick<OpenSite, 'sites'> & { store: Store },
  recorder: ReturnType<typeof createRecorder>,
): PrepareDocument {
  const [site] = sites;
  if (!site) throw new Error('A site has at least one language');
  return createPreparation({ store, site, locales: sites.map(({ locale }) => locale) }, recorder);
}

/**
 * Writes parts, several of them in threads. `onProgress` gets the number of documents that were added since it was last called.
 * @throws {Error} if Pagefind cannot start or cannot write a part
 */
export async function writeParts(
  parts: readonly PartToWrite[],
  source: SiteSource,
  prepare: PrepareDocument,
  onProgress: (added: number) => void,
): Promise<void> {
  const threads = Math.min(parts.length, chosenThreads() ?? possibleThreads(THREAD_MEMORY));
  if (threads < 2) {
    for (const part of parts) await writePart(part, prepare, onProgress);
    return;
  }
  const workers = Array.from({ length: threads }, () => new Worker(import.meta.filename, { workerData: { role: ROLE, source } }));
  let next = 0;
  try {
    await Promise.all(
      workers.map(async (worker) => {
        const calls = openThreadCalls<PartToWrite, true, { added: number }>(worker, ({ added }) => onProgress(added));
        for (let part = parts[next++]; part; part = parts[next++]) await calls.send(part).reply;
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

if (!isMainThread && (workerData as { role?: string } | null)?.role === ROLE) {
  const { source } = workerData as { source: SiteSource };
  const recorder = createRecorder();
  const prepare = prepareFrom(openSite(source, recorder.onRead), recorder);
  parentPort?.on('message', ({ id, ...part }: PartToWrite & { id: number }) => {
    const reply = (outcome: Omit<Reply<true>, 'id'>) => parentPort?.postMessage({ id, ...outcome });
    writePart(part, prepare, (added) => parentPort?.postMessage({ added })).then(
      () => reply({ result: true }),
      (error: unknown) => reply({ failure: toPostedError(error) }),
    );
  });
}
