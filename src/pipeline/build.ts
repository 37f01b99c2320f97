/** Builds the site from a snapshot: pictures, pages, assets, search index; then puts it in place. Reads nothing but the snapshot. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Catalogue, Facts } from '../catalogue/catalogue.ts';
import { createPageProblems, type PageProblem, type PageProblems } from '../catalogue/page-problems.ts';
import type { Relations } from '../catalogue/relations.ts';
import { type ShownStore, shownStore } from '../catalogue/view.ts';
import { unmatchedLine, type Withholding } from '../catalogue/withholding.ts';
import { describeTiles, type Tiles } from '../derivatives/iiif.ts';
import type { Problems } from '../derivatives/problems.ts';
import { assertSameArchive, IDENTITY, identityOf, identityText, type SiteIdentity } from '../publish/identity.ts';
import { machineFiles } from '../publish/machine-files.ts';
import { writeFacetPack } from '../publish/packs/facet-pack.ts';
import { writePacks } from '../publish/packs/index-packs.ts';
import { openArchive } from '../sample/archive.ts';
import { buildSearchIndex, type Indexed, type SearchIndex } from '../search/index.ts';
import { type PlannedPage, planPages } from '../site/plan.ts';
import { filesBelow } from '../snapshot/files.ts';
import { lastRun, queuedCount } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { writeAssets, writeEngine } from './assets.ts';
import { cacheRoot, openCache } from './caches.ts';
import { compact } from './compact.ts';
import { type KeyedPage, openPageCache } from './page-cache.ts';
import { prepareSite, type SiteSettings } from './prepare.ts';
import { assertPublishable, type Published, publish } from './publish.ts';
import { renderPages } from './render.ts';
import { lockSite } from './site-lock.ts';

export interface BuildOptions extends SiteSettings {
  /** The snapshot's folder. */
  snapshot: string;
  out: string;
  /** Forget what earlier builds have left. */
  clean: boolean;
  /** What the archive withholds: no page, list, picture, search entry or file has it. */
  withholding: Withholding;
  /** IDs of the collections to show; undefined: all. */
  collections: readonly string[] | undefined;
}

/** Problems: what could not be made of files; where it is a picture, the page shows a placeholder. */
export interface BuildReport extends Published, Problems {
  pages: number;
  /** Documents in the search index. */
  documents: number;
  pictures: number;
  /** Pages and search entries that could not be made as they should be: their pages say so. */
  pageProblems: PageProblem[];
  /** Sizes, tiles and the like that earlier builds had not made. */
  made: number;
  /** Seconds of each step. */
  seconds: Record<string, number>;
  /** Where the last harvest was interrupted, or is still running: the resources that are waiting. */
  interrupted: { waiting: number } | undefined;
  /** What else the user should know, a line each. */
  notes: string[];
}

const ROOT = join(import.meta.dirname, '../..');

/** @throws UserError when there is no snapshot, another build is writing to the folder, or it holds something else or another archive's site. */
export async function buildSite(options: BuildOptions): Promise<BuildReport> {
  assertPublishable(resolve(options.out));
  const opened = openArchive(options.snapshot);
  try {
    const store = shownStore(opened, options);
    const lock = lockSite(resolve(options.out));
    try {
      const identity = identityOf(store, options.snapshot);
      const unknown = assertSameArchive(identity, lock.out);
      const report = await buildInto(lock.out, store, identity, options);
      return {
        ...report,
        interrupted: interruptionOf(store),
        notes: [...(unknown === undefined ? [] : [unknown]), ...store.unmatched().map(unmatchedLine)],
      };
    } finally {
      lock.close();
    }
  } finally {
    opened.close();
  }
}

function interruptionOf(store: Store): { waiting: number } | undefined {
  return lastRun(store)?.finished_at === null ? { waiting: queuedCount(store) } : undefined;
}

type Built = Omit<BuildReport, 'interrupted' | 'notes'>;

async function buildInto(out: string, store: ShownStore, identity: SiteIdentity, options: BuildOptions): Promise<Built> {
  const seconds: Record<string, number> = {};
  const timed = async <T>(step: string, work: () => T | Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work();
    seconds[step] = Math.round(performance.now() - begun) / 1000;
    return result;
  };
  const kept = openCache(cacheRoot(), out, options);
  const { folder: cache } = kept;
  const prepared = await prepareSite(store, kept, options, timed);
  const { catalogue, relations, sites, content, pictures, mirrored, problems, lacking } = prepared;
  const pageProblems = createPageProblems();
  for (const { page, cause } of catalogue.problems) pageProblems.lacks(page, cause);
  const epoch = epochOf(options, catalogue.facts);
  const site = join(cache, 'site');
  const pageCache = openPageCache(cache, epoch, (path) => existsSync(join(site, path)));
  const plan = await timed('plan', () => keyed(planPages({ sites, catalogue, content }), pageProblems));
  const pages = await timed('pages', () =>
    renderPages(
      { site: options.site, out: site, cache: join(cache, 'astro') },
      { sites, catalogue, content, plan, stale: plan.filter((page) => pageCache.isStale(page)), problems: pageProblems },
    ),
  );
  // What is no page of this build may show what was withdrawn since.
  const current = new Set(pages);
  for (const [path, file] of filesBelow(site)) if (!current.has(path)) rmSync(file);
  const extra = join(cache, 'extra');
  rmSync(extra, { recursive: true, force: true });
  await timed('assets', () => writeAssets(extra, { kiosk: options.kiosk !== undefined, compact: options.compact }));
  const [top] = sites;
  if (!top) throw new Error('A site has at least one language');
  for (const [path, text] of machineFiles(catalogue.objects, top)) writeFileSync(join(extra, path), text);
  writeFileSync(join(extra, IDENTITY), identityText(identity));
  writeTileDescriptions(extra, Object.values(prepared.tiles), options.site);
  const index = join(cache, 'search');
  const { index: plain, packs } = options.searchForms;
  const { documents, problems: notIndexed }: SearchIndex =
    plain || packs
      ? await timed('search', () =>
          searchIndex(index, epoch, store, catalogue, relations, { pictures, mirrored }, options.onProgress),
        )
      : { documents: 0, problems: [] };
  for (const { page, cause } of notIndexed) pageProblems.lacks(page, cause);
  if (packs) await timed('packs', () => searchPacks(index));

  const sources = new Map([
    ...pages.map((path) => [path, join(site, path)] as const),
    ...filesBelow(extra),
    ...(plain || packs ? filesBelow(`${index}-facets`).map(([path, file]) => [`assets/${path}`, file] as const) : []),
    ...(plain ? filesBelow(index).map(([path, file]) => [`pagefind/${path}`, file] as const) : []),
    ...(packs ? filesBelow(`${index}-packs`).map(([path, file]) => [`packs/${path}`, file] as const) : []),
    ...filesBelow(join(ROOT, 'public')),
    ...prepared.files,
  ]);
  const compacted = options.compact ? await timed('compact', () => compact(sources, join(cache, 'compact'))) : sources;
  if (!options.kiosk) {
    const note = join(extra, 'offline.json');
    writeFileSync(note, `${JSON.stringify(keepable(compacted, plain))}\n`);
    compacted.set('offline.json', note);
  }
  const published = await timed('publish', () => publish(compacted, out));
  pageCache.store(plan, (path) => pageProblems.hasFailed(path));
  kept.finish();
  return {
    ...published,
    pages: pages.filter((path) => path.endsWith('.html')).length,
    documents,
    pictures: Object.keys(pictures).length,
    pageProblems: pageProblems.all(),
    made: prepared.made,
    problems,
    lacking,
    seconds,
  };
}

/** What a viewer of others asks for first: each picture's tiles described. */
function writeTileDescriptions(out: string, tiles: Tiles[], site: string | undefined): void {
  for (const one of tiles) {
    mkdirSync(join(out, one.path), { recursive: true });
    writeFileSync(join(out, one.path, 'info.json'), describeTiles(one, site));
  }
}

/** Builds the search index, or leaves the last one where it was made from the same. */
async function searchIndex(
  out: string,
  epoch: string,
  store: Store,
  catalogue: Catalogue,
  relations: Relations,
  shown: Indexed,
  onProgress: BuildOptions['onProgress'],
): Promise<SearchIndex> {
  const { objects, authors, articles } = catalogue;
  const key = createHash('sha256')
    .update(JSON.stringify([epoch, objects, authors, articles, shown]))
    .digest('hex');
  const note = `${out}.json`;
  if (existsSync(note)) {
    const { key: made, ...last } = JSON.parse(readFileSync(note, 'utf8')) as SearchIndex & { key: string };
    if (made === key) return last;
  }
  rmSync(out, { recursive: true, force: true });
  const built = await buildSearchIndex(
    store,
    catalogue,
    relations,
    shown,
    out,
    (table) => writeFacetPack(table, `${out}-facets`),
    (done, total) => onProgress?.('Search index', done, total),
  );
  writeFileSync(note, JSON.stringify({ key, ...built }));
  return built;
}

/** How much a browser keeps that keeps all of the mirror: of the two forms of the search index it needs one. */
function keepable(sources: ReadonlyMap<string, string>, indexed: boolean): { files: number; bytes: number } {
  const kept = [...sources].filter(([path]) => !(indexed && path.startsWith('packs/')));
  return { files: kept.length, bytes: kept.reduce((sum, [, file]) => sum + statSync(file).size, 0) };
}

/** Packs the index beside itself, or leaves the packs that were made of it. */
async function searchPacks(index: string): Promise<void> {
  const out = `${index}-packs`;
  const note = `${out}.json`;
  const key = readFileSync(`${index}.json`, 'utf8');
  if (existsSync(note) && readFileSync(note, 'utf8') === key) return;
  rmSync(note, { force: true });
  writePacks(index, out);
  await writeEngine(index, out);
  writeFileSync(note, key);
}

/** Computes the key of every planned page. Of a page whose contents cannot even be gathered, the key is unknown: it is rendered, to say so. */
function keyed(plan: Iterable<PlannedPage>, problems: PageProblems): KeyedPage[] {
  return Array.from(plan, ({ key, ...page }): KeyedPage => {
    try {
      return { ...page, key: key?.() };
    } catch (error) {
      problems.fail(page.path, error);
      return { ...page, key: undefined };
    }
  });
}

/** What every page is made of beside its own subject: this program, the Node that runs it, and what stands in every page's frame. */
function epochOf(
  { site, languages, kiosk, searchForms, compact: few, withholding }: BuildOptions,
  { title, authorsUrl, catalogUrl }: Facts,
): string {
  const frame = [process.version, site, languages, kiosk, searchForms, few, title, authorsUrl, catalogUrl, withholding.persons];
  const hash = createHash('sha256').update(JSON.stringify(frame));
  const code = [...filesBelow(join(ROOT, 'src')), ['lock', join(ROOT, 'package-lock.json')] as const];
  for (const [, file] of code) hash.update(readFileSync(file));
  return hash.digest('hex');
}
