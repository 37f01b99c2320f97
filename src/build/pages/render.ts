/** Renders pages with Astro into a directory, from which the build publishes them. */
import { mkdirSync, rmSync } from 'node:fs';
import type { Recorder } from '../../catalogue/dependencies/read-keys.ts';
import type { PageProblems } from '../../catalogue/page-problems.ts';
import { chosenThreads, possibleThreads } from '../../platform/thread-count.ts';
import type { ReadOwnContent } from '../../settings/read-own-content.ts';
import type { BuildContext } from '../../site/hand-over.ts';
import type { PlannedPage } from '../../site/plan.ts';
import { openBundle } from '../astro/bundle.ts';
import type { OwnComponents } from '../astro/open-components.ts';
import { openRenderer, toBatches, type WrittenPage } from './render-page.ts';
import { renderInThreads } from './render-thread.ts';
import type { SiteSource } from './site-source.ts';

/** What to render. */
export interface Rendering extends Pick<BuildContext, 'sites' | 'entries' | 'content'> {
  source: SiteSource;
  /** The pages to render; the others are not touched. */
  stale: readonly PlannedPage[];
  /** The own pages, whose Markdown Astro renders. */
  ownContent?: ReadOwnContent | undefined;
  components?: OwnComponents | undefined;
  /** Records what pages read that are rendered in this thread. */
  recorder: Recorder;
  /** Pages that have failed already; pages that fail now are added. */
  problems: PageProblems;
  /** Whether another thread makes the search index. */
  isBesideSearch?: boolean;
  /** Gets the number of rendered pages, and of all to render. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Renders the stale pages into the directory `out`, which it empties first, in several threads if they are many. Returns the
 * rendered pages by their paths in the site.
 * @throws {Error} if not even the notice for a failed page can be rendered
 */
export async function renderPages(out: string, rendering: Rendering): Promise<ReadonlyMap<string, WrittenPage>> {
  const { source, stale, problems, onProgress = () => undefined } = rendering;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  if (stale.length === 0) return new Map();
  const bundle = rendering.components?.bundle ?? (await openBundle(rendering.ownContent));
  const threads = countRenderThreads(stale.length, rendering.isBesideSearch ?? false);
  if (threads > 0) return renderInThreads(threads, { source, bundle, out }, stale, problems, { onProgress });
  using renderer = await openRenderer({ source, bundle, out }, rendering, problems);
  const written = new Map<string, WrittenPage>();
  for (const batch of toBatches(stale)) {
    for (const [path, page] of await renderer.render(batch)) written.set(path, page);
    onProgress(written.size, stale.length);
  }
  return written;
}

/** Fewer pages than this are rendered in one thread: others would need longer to start and to compile the code. */
const MIN_PAGES_FOR_THREADS = 4_000;
/** Memory that a thread takes at most, in bytes. */
const THREAD_MEMORY = 400 * 1024 * 1024;

/**
 * Returns the number of threads for a number of pages, by cores and free memory, unless MICROFICHE_THREADS sets how many a build
 * has. None: the pages are rendered in the main thread.
 */
function countRenderThreads(pages: number, isBesideSearch: boolean): number {
  const chosen = chosenThreads();
  if (chosen !== undefined) {
    const own = isBesideSearch ? chosen - 1 : chosen;
    return pages === 0 || own < 2 ? 0 : own;
  }
  const possible = possibleThreads(THREAD_MEMORY);
  return pages < MIN_PAGES_FOR_THREADS || possible < 2 ? 0 : possible;
}
