/**
 * Renders shares of the pages in threads. Astro bundles the pages once; each thread imports the bundle, opens the catalogue file
 * and the snapshot, and renders and writes the pages that it is sent.
 */
import { createRecorder } from '../../catalogue/dependencies/read-keys.ts';
import { createPageProblems, type PageProblem, type PageProblems } from '../../catalogue/page-problems.ts';
import { doTasks, runInThreads } from '../../platform/thread-pool.ts';
import type { RoutedPage } from '../../site/hand-over.ts';
import { type Batch, openRenderer, type RenderSetting, toBatches, type WrittenPage } from './render-page.ts';
import { openSite } from './site-source.ts';

/** What a thread needs. */
interface ThreadSetting extends RenderSetting {
  /** When the thread was created, in milliseconds since 1970. */
  createdAt: number;
}

/** What became of a batch. */
interface RenderedBatch {
  /** By path. */
  written: Map<string, WrittenPage>;
  failures: PageProblem[];
  /** Pages on which an own component has failed. */
  replaced: PageProblem[];
  defects: PageProblem[];
  /** Of the first batch of a thread: the milliseconds from its creation until it could render a page. */
  startMs?: number | undefined;
}

const ROLE = 'microfiche-render';

/**
 * Renders pages in `count` threads. What fails is added to `problems`. Returns the pages by path. `onStart` gets, once for each
 * thread that renders, the milliseconds from its creation until it could render a page.
 * @throws {Error} if not even the notice for a failed page can be rendered, or if a page cannot be written
 */
export async function renderInThreads(
  count: number,
  setting: RenderSetting,
  pages: readonly RoutedPage[],
  problems: PageProblems,
  { onProgress, onStart }: { onProgress?: (done: number, total: number) => void; onStart?: (milliseconds: number) => void } = {},
): Promise<Map<string, WrittenPage>> {
  const written = new Map<string, WrittenPage>();
  const program = { module: import.meta.filename, role: ROLE, setting: { ...setting, createdAt: Date.now() }, isSmall: true };
  await runInThreads<ThreadSetting, Batch, RenderedBatch>(count, program, toBatches(pages), {
    onResult(rendered) {
      for (const [path, page] of rendered.written) written.set(path, page);
      for (const { page, cause } of rendered.failures) problems.addFailure(page, new Error(cause));
      for (const { page, cause } of rendered.replaced) problems.addReplaced(page, new Error(cause));
      for (const { page, cause } of rendered.defects) problems.addDefect(page, cause);
      onProgress?.(written.size, pages.length);
      if (rendered.startMs !== undefined) onStart?.(rendered.startMs);
    },
  });
  return written;
}

doTasks<ThreadSetting, Batch, RenderedBatch>(ROLE, async ({ createdAt, ...setting }) => {
  const recorder = createRecorder();
  const { hasFailed, addFailure } = createPageProblems();
  let rendered: RenderedBatch;
  const causeOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
  const renderer = await openRenderer(
    setting,
    { ...openSite(setting.source, recorder.onRead), recorder },
    {
      hasFailed,
      addFailure(page, error) {
        addFailure(page, error);
        rendered.failures.push({ page, cause: causeOf(error) });
      },
      addReplaced: (page, error) => void rendered.replaced.push({ page, cause: causeOf(error) }),
      addDefect: (page, cause) => void rendered.defects.push({ page, cause }),
    },
  );
  let startMs: number | undefined = Date.now() - createdAt;
  return async (batch) => {
    rendered = { written: new Map(), failures: [], replaced: [], defects: [], startMs };
    startMs = undefined;
    return { ...rendered, written: await renderer.render(batch) };
  };
});
