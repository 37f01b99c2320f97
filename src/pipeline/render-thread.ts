/**
 * Renders shares of the pages in threads. Astro bundles the pages once; each thread imports the bundle, opens the catalogue file and the snapshot,
 * and renders and writes the pages that it is sent.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createPageProblems, type PageProblem, type PageProblems } from '../catalogue/page-problems.ts';
import { createRecorder } from '../catalogue/recorder.ts';
import { toPostedError } from '../platform/posted-error.ts';
import { openThreadCalls, type Reply } from '../platform/thread-calls.ts';
import { handOver } from '../site/hand-over.ts';
import { importApp } from './bundle.ts';
import {
  type Batch,
  createPageOutput,
  type HandedPages,
  type PageOutput,
  renderBatch,
  type StalePage,
  toBatches,
  type WrittenPage,
} from './render-page.ts';
import { openSite, type SiteSource } from './site-source.ts';

/** What a thread needs. */
export interface ThreadSetting {
  source: SiteSource;
  /** Directory of Astro's bundle. */
  bundle: string;
  /** Directory of the rendered pages. */
  out: string;
}

/** What became of a batch. */
interface RenderedBatch {
  /** By path. */
  written: Map<string, WrittenPage>;
  failures: PageProblem[];
  defects: PageProblem[];
}

const ROLE = 'microfiche-render';

/**
 * Renders pages in `count` threads. What fails is added to `problems`. Returns the pages by path.
 * @throws {Error} if not even the notice for a failed page can be rendered, or if a page cannot be written
 */
export async function renderInThreads(
  count: number,
  setting: ThreadSetting,
  pages: readonly StalePage[],
  problems: PageProblems,
): Promise<Map<string, WrittenPage>> {
  const batches = toBatches(pages);
  const written = new Map<string, WrittenPage>();
  const workers = Array.from({ length: Math.min(count, batches.length) }, () => {
    return new Worker(import.meta.filename, { workerData: { role: ROLE, setting } });
  });
  let next = 0;
  try {
    await Promise.all(
      workers.map(async (worker) => {
        const calls = openThreadCalls<Batch, RenderedBatch>(worker);
        for (let batch = batches[next++]; batch; batch = batches[next++]) {
          const rendered = await calls.send(batch).reply;
          for (const [path, page] of rendered?.written ?? []) written.set(path, page);
          for (const { page, cause } of rendered?.failures ?? []) problems.addFailure(page, new Error(cause));
          for (const { page, cause } of rendered?.defects ?? []) problems.addDefect(page, cause);
        }
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return written;
}

/** The pages of one thread. */
interface ThreadRenderer {
  render(batch: Batch): Promise<RenderedBatch>;
}

async function createThreadRenderer({ source, bundle, out }: ThreadSetting): Promise<ThreadRenderer> {
  const recorder = createRecorder();
  const { sites, content } = openSite(source, recorder.onRead);
  const pages: HandedPages = new Map();
  const { hasFailed, addFailure } = createPageProblems();
  let rendered: RenderedBatch;
  handOver({
    ...{ sites, content, pages, hasFailed },
    catalogue: source.catalogue,
    addDefect: (page, cause) => void rendered.defects.push({ page, cause }),
  });
  const output: PageOutput = createPageOutput(out, sites, {
    addFailure(page, error) {
      addFailure(page, error);
      rendered.failures.push({ page, cause: error instanceof Error ? error.message : String(error) });
    },
  });
  const app = await importApp(bundle);
  return {
    async render(batch) {
      rendered = { written: new Map(), failures: [], defects: [] };
      return { ...rendered, written: await renderBatch({ app, handed: pages, output, recorder }, batch) };
    },
  };
}

if (!isMainThread && (workerData as { role?: string } | null)?.role === ROLE) {
  const { setting } = workerData as { setting: ThreadSetting };
  const renderer = createThreadRenderer(setting);
  parentPort?.on('message', (batch: Batch & { id: number }) => {
    const { id } = batch;
    const reply = (outcome: Omit<Reply<RenderedBatch>, 'id'>) => parentPort?.postMessage({ id, ...outcome });
    renderer
      .then((opened) => opened.render(batch))
      .then(
        (result) => reply({ result }),
        (error: unknown) => reply({ failure: toPostedError(error) }),
      );
  });
}
