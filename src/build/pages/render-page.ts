/** Renders one page with a render function, and writes it. A page that fails is replaced by one with a notice. */
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Recorder } from '../../catalogue/dependencies/read-keys.ts';
import { type Reads, toReads } from '../../catalogue/dependencies/stored-reads.ts';
import { errorMessage, type PageProblems } from '../../catalogue/page-problems.ts';
import { stripIllegible } from '../../model/text/legible.ts';
import { replaceExternalLinks } from '../../publish/kiosk-pages.ts';
import { type BuildContext, handOver, type RoutedPage } from '../../site/hand-over.ts';
import type { Site } from '../../site/site.ts';
import { importApp } from '../astro/bundle.ts';
import type { SiteSource } from './site-source.ts';

/** Renders a page with Astro. It shows a notice if it has failed before. */
type RenderOnce = () => Promise<Response>;

/** Which components a page is rendered with. */
interface ComponentChoice {
  readonly hasOwn: boolean;
  /** Whether they are shown on the page that is being rendered. */
  showsOwn: boolean;
}

/** Where pages that fail are noted. */
type FailureList = Pick<PageProblems, 'addFailure' | 'addReplaced'>;

/**
 * Returns a function that renders a page, and writes it below the directory `out`. If rendering fails, it is added to `problems`,
 * and rendered again with a notice instead of its content. Returns the SHA-256 of the page, hexadecimal.
 * @throws {Error} if that fails too: then the cause is not the record
 */
function createPageWriter(out: string, sites: readonly Site[], problems: FailureList, components: ComponentChoice) {
  const directories = new Set<string>();
  return async (path: string, render: RenderOnce) => {
    const html = await renderWithFallback(render, path, problems, components);
    const pageSite = sites.find(({ locale: { pathPrefix } }) => pathPrefix !== '' && path.startsWith(pathPrefix)) ?? sites[0];
    // A kiosk's pages have no links to other sites.
    const bytes = pageSite?.kiosk ? Buffer.from(replaceExternalLinks(html.toString(), pageSite.locale.t.kiosk)) : html;
    const file = join(out, path);
    const directory = dirname(file);
    if (!directories.has(directory)) mkdirSync(directory, { recursive: true });
    directories.add(directory);
    writeFileSync(file, bytes);
    return hash('sha256', bytes);
  };
}

/** Renders a page; if that fails, without own components; and if that fails too, with a notice. */
async function renderWithFallback(render: RenderOnce, path: string, problems: FailureList, components: ComponentChoice) {
  const renderLegibly = async () => stripIllegibleBytes(Buffer.from(await (await render()).arrayBuffer()));
  try {
    return await renderLegibly();
  } catch (error) {
    if (!components.hasOwn) problems.addFailure(path, error);
    else problems.addReplaced(path, error);
  }
  components.showsOwn = false;
  try {
    return await renderLegibly().catch((error) => {
      if (!components.hasOwn) throw error; // this was the notice
      problems.addFailure(path, error);
      return renderLegibly();
    });
  } catch (cause) {
    throw new Error(`The page ${path} could not be rendered: ${errorMessage(cause)}`, { cause });
  } finally {
    components.showsOwn = components.hasOwn;
  }
}

/** Pages that one thread renders. */
export interface Batch {
  pages: readonly RoutedPage[];
}

/** Pages in one batch: few enough that no thread waits long for another at the end. */
const BATCH_LENGTH = 64;

/** Divides pages into batches. */
export function toBatches(pages: readonly RoutedPage[]): Batch[] {
  return Array.from({ length: Math.ceil(pages.length / BATCH_LENGTH) }, (_, i) => ({
    pages: pages.slice(i * BATCH_LENGTH, (i + 1) * BATCH_LENGTH),
  }));
}

/** What became of a page. */
export interface WrittenPage {
  /** Hexadecimal. */
  sha256: string;
  /** Its dependencies. */
  reads: Reads;
}

/** What the pages of a batch are rendered with. */
export interface RenderSetting {
  source: SiteSource;
  /** Directory of Astro's bundle. */
  bundle: string;
  /** Directory of the rendered pages. */
  out: string;
}

/** Returns what renders the pages of a site, which is handed over to them until it is disposed of. */
export async function openRenderer(
  { source, bundle, out }: RenderSetting,
  { sites, entries, content, recorder }: Pick<BuildContext, 'sites' | 'entries' | 'content'> & { recorder: Recorder },
  problems: FailureList & Pick<PageProblems, 'hasFailed' | 'addDefect'>,
) {
  const handed: RoutedPage[] = [];
  const hasOwn = source.settings.components !== undefined;
  const components: ComponentChoice = { hasOwn, showsOwn: hasOwn };
  const showsOwnComponents = () => components.showsOwn;
  const { hasFailed, addDefect } = problems;
  using unlessOpen = new DisposableStack();
  unlessOpen.defer(handOver({ sites, entries, content, pages: handed, hasFailed, addDefect, showsOwnComponents }));
  const app = await importApp(bundle);
  const routeData = app.manifest.routes.find((one) => one.routeData.component.endsWith('src/pages/[...page].astro'))?.routeData;
  if (!routeData) throw new Error("Astro's bundle has no route for pages");
  const writePage = createPageWriter(out, sites, problems, components);
  const open = unlessOpen.move();
  return {
    /** Renders a batch, page by page. Returns the pages by path. */
    async render({ pages }: Batch) {
      handed.splice(0, handed.length, ...pages);
      app.routeCache.clearAll(); // it holds the paths of the last batch
      const written = new Map<string, WrittenPage>();
      for (const { path } of pages) {
        const url = new URL(`/${path}`, 'http://localhost');
        recorder.start();
        const sha256 = await writePage(path, () => app.render(new Request(url), { routeData }));
        written.set(path, { sha256, reads: toReads(recorder.end()) });
      }
      return written;
    },
    [Symbol.dispose]: () => open.dispose(),
  };
}

/**
 * A quick test for bytes that may contain what `stripIllegible` removes or replaces, each byte as one character: control
 * characters, bidirectional controls, noncharacters, and everything beyond the Basic Multilingual Plane. Surrogates have no
 * bytes.
 */
const POSSIBLY_ILLEGIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xef\xb7[\x90-\xaf]|\xef\xbf[\xbe\xbf]|[\xf0-\xf4]/;

/** Returns UTF-8 without characters that must not be shown. */
export function stripIllegibleBytes(utf8: Buffer): Buffer {
  return POSSIBLY_ILLEGIBLE.test(utf8.toString('latin1')) ? Buffer.from(stripIllegible(utf8.toString())) : utf8;
}
