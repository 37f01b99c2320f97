/**
 * Renders shares of the pages in threads. Astro bundles the pages once; each thread imports the bundle, opens the catalogue file and the snapshot,
 * and renders and writes the pages that it is sent.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { RouteData } from 'astro';
import { createPageProblems, type PageProblem, type PageProblems } from '../catalogue/page-problems.ts';
import { toPostedError } from '../platform/posted-error.ts';
import { openThreadCalls, type Reply } from '../platform/thread-calls.ts';
import { handOver } from '../site/hand-over.ts';
import type { PlannedPage, Route } from '../site/plan.ts';
import { createPageOutput, type PageOutput } from './render-page.ts';
import { openSite, type SiteSource } from './site-source.ts';

/** A page to render. */
export type StalePage = Pick<PlannedPage, 'path' | 'route' | 'params'>;

/** What a thread needs. */
export interface ThreadSetting {
  source: SiteSource;
  /** Directory of Astro's bundle. */
  bundle: string;
  /** Directory of the rendered pages. */
  out: string;
}

/** Pages of one route. */
interface Batch {
  route: Route;
  pages: ReadonlyArray<Pick<StalePage, 'path' | 'params'>>;
}

/** What became of a batch. */
interface RenderedBatch {
  /** SHA-256 of each page, hexadecimal, by path. */
  written: Map<string, string>;
  failures: PageProblem[];
  defects: PageProblem[];
}

/** Pages in one batch: few enough that no thread waits long for another at the end. */
const BATCH_LENGTH = 64;
const ROLE = 'microfiche-render';

/**
 * Renders pages in `count` threads. What fails is added to `problems`. Returns the SHA-256 of each page, hexadecimal, by path.
 * @throws {Error} if not even the notice for a failed page can be rendered, or if a page cannot be written
 */
export async function renderInThreads(
  count: number,
  setting: ThreadSetting,
  pages: readonly StalePage[],
  problems: PageProblems,
): Promise<Map<string, string>> {
  const batches = toBatches(pages);
  const written = new Map<string, string>();
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
          for (const [path, sha256] of rendered?.written ?? []) written.set(path, sha256);
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

function toBatches(pages: readonly StalePage[]): Batch[] {
  return [...Map.groupBy(pages, ({ route }) => route)].flatMap(([route, all]) =>
    Array.from({ length: Math.ceil(all.length / BATCH_LENGTH) }, (_, i) => ({
      route,
      pages: all.slice(i * BATCH_LENGTH, (i + 1) * BATCH_LENGTH).map(({ path, params }) => ({ path, params })),
    })),
  );
}

/** What of Astro's app of a bundle is used: `BuildApp` in astro/dist/core/build/app.js. */
interface BundledApp {
  manifest: { routes: Array<{ routeData: RouteData }>; base: string };
  routeCache: { clearAll(): void };
  setInternals(internals: object): void;
  setOptions(options: object): void;
  render(request: Request, options: { routeData: RouteData }): Promise<Response>;
}

/** Imports the bundled pages, as Astro's own prerenderer does. */
async function importApp(bundle: string): Promise<BundledApp> {
  const directory = join(bundle, '.prerender');
  const entry = readdirSync(directory).find((name) => /^prerender-entry\..*\.mjs$/.test(name));
  if (entry === undefined) throw new Error(`Astro has written no entry of the bundle to ${directory}`);
  const { app } = (await import(pathToFileURL(join(directory, entry)).href)) as { app: BundledApp };
  // Pages load no scripts and styles that Astro bundles, so that it looks up none.
  app.setInternals({ pagesByKeys: new Map() });
  app.setOptions({ settings: { scripts: [] }, logger: { options: { destination: { write: () => true } } } });
  return app;
}

/** The pages of one thread. */
interface ThreadRenderer {
  render(batch: Batch): Promise<RenderedBatch>;
}

async function createThreadRenderer({ source, bundle, out }: ThreadSetting): Promise<ThreadRenderer> {
  const { sites, content } = openSite(source);
  const pages = new Map<Route, Batch['pages']>();
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
  const { base } = app.manifest;
  const routes = new Map(app.manifest.routes.map(({ routeData }) => [routeData.component, routeData]));
  return {
    async render(batch) {
      rendered = { written: new Map(), failures: [], defects: [] };
      pages.clear();
      pages.set(batch.route, batch.pages);
      app.routeCache.clearAll(); // it holds the paths of the last batch
      const routeData = routes.get(`src/pages/[...lang]/${batch.route}.astro`);
      if (!routeData) throw new Error(`Astro's bundle has no route ${batch.route}`);
      for (const { path } of batch.pages) {
        const url = new URL(`${base.replace(/\/$/, '')}/${path}`, 'http://localhost');
        const { sha256 } = await output.write(path, () => app.render(new Request(url), { routeData }));
        rendered.written.set(path, sha256);
      }
      return rendered;
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
