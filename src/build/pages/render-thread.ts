/**
 * Renders shares of the pages in threads. Astro bundles the pages once; each thread imports the bundle, opens the catalogue file
 * and the snapshot, and renders and writes the pages that it is sent.
 */
import { createRecorder } from '../../catalogue/dependencies/read-keys.ts';
import { createPageProblems, errorMessage, type PageProblems } from '../../catalogue/page-problems.ts';
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
  /** What has to be added to the problems, and how. */
  noted: Array<[add: 'addFailure' | 'addReplaced' | 'addDefect', page: string, cause: string]>;
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
      for (const [add, page, cause] of rendered.noted) problems[add](page, cause);
      onProgress?.(written.size, pages.length);
      if (rendered.startMs !== undefined) onStart?.(rendered.startMs);
    },
  });
  return written;
}

doTasks<ThreadSetting, Batch, RenderedBatch>(ROLE, async ({ createdAt, ...setting }) => {
  const recorder = createRecorder();
  const problems = createPageProblems();
  let noted: RenderedBatch['noted'] = [];
  const adding = (add: RenderedBatch['noted'][number][0]) => (page: string, error: unknown) => {
    noted.push([add, page, errorMessage(error)]);
    return problems[add](page, errorMessage(error));
  };
  const renderer = await openRenderer(
    setting,
    { ...openSite(setting.source, recorder.onRead), recorder },
    { ...problems, addFailure: adding('addFailure'), addReplaced: adding('addReplaced'), addDefect: adding('addDefect') },
  );
  let startMs: number | undefined = Date.now() - createdAt;
  return async (batch) => {
    noted = [];
    const tookMs = startMs;
    startMs = undefined;
    return { written: await renderer.render(batch), noted, startMs: tookMs };
  };
});
