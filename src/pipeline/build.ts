/** Builds the site from a snapshot: pictures, pages, assets, search index; then puts it in place. Reads nothing but the snapshot. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Catalogue, type Facts, readCatalogue } from '../catalogue/catalogue.ts';
import { createPageProblems, type PageProblem } from '../catalogue/page-problems.ts';
import { createRelations, type Relations } from '../catalogue/relations.ts';
import { type ShownStore, shownStore } from '../catalogue/view.ts';
import { unmatchedLine, type Withholding } from '../catalogue/withholding.ts';
import type { SearchForms } from '../client/search-forms.ts';
import { makeDerivatives } from '../derivatives/derivatives.ts';
import { describeFiles } from '../derivatives/describe.ts';
import { describeTiles, type Tiles } from '../derivatives/iiif.ts';
import { mirroredFiles } from '../derivatives/mirrored.ts';
import type { PictureFormat } from '../derivatives/picture-formats.ts';
import { joined, type Problems } from '../derivatives/problems.ts';
import { type ShownFile, shownFiles } from '../derivatives/shown-files.ts';
import { assertSameArchive, IDENTITY, identityOf, identityText, type SiteIdentity } from '../publish/identity.ts';
import { machineFiles } from '../publish/machine-files.ts';
import { writeFacetPack } from '../publish/packs/facet-pack.ts';
import { writePacks } from '../publish/packs/index-packs.ts';
import { openArchive } from '../sample/archive.ts';
import { buildSearchIndex, type Indexed, type SearchIndex } from '../search/index.ts';
import type { Kiosk } from '../site/context.ts';
import { createEditions, type Language } from '../site/language/edition.ts';
import { createLedger } from '../site/ledger.ts';
import { filesBelow } from '../snapshot/files.ts';
import { lastRun, queuedCount, type StoredMedia } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { writeAssets, writeEngine } from './assets.ts';
import { cacheRoot, openCache } from './caches.ts';
import { compact } from './compact.ts';
import { assertPublishable, type Published, publish } from './publish.ts';
import { renderPages } from './render.ts';
import { lockSite } from './site-lock.ts';

export interface BuildOptions {
  /** The snapshot's folder. */
  snapshot: string;
  out: string;
  /** The mirror's own address, where it will be hosted: adds the sitemap. */
  site: string | undefined;
  /** Forget what earlier builds have left. */
  clean: boolean;
  /** The languages of the interface; the first one stands at the top of the site. */
  languages: readonly Language[];
  /** For a kiosk: no link leads out, and it goes back to its beginning when nobody uses it. */
  kiosk: Kiosk | undefined;
  /** Pages and thumbnails in packs: for sticks, on which every file takes a whole cluster. */
  compact: boolean;
  /** What the pictures of pages are written as. */
  pictureFormat: PictureFormat;
  /** What the archive withholds: no page, list, picture, search entry or file has it. */
  withholding: Withholding;
  /** IDs of the collections to show; undefined: all. */
  collections: readonly string[] | undefined;
  /** In which forms the search index is made; in neither, pages alone. */
  searchForms: SearchForms;
  onProgress?: (step: string, done: number, total: number) => void;
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
const LEDGER = 'ledger.json';

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
  const { folder: cache, pictures: made } = kept;
  const catalogue = await timed('catalogue', () => readCatalogue(store));
  const withheld = new Set(catalogue.facts.withheld.map(({ what }) => what));
  const heldBack = new Set(catalogue.objects.flatMap((entry) => entry.heldBack));
  const allowed = ({ url, owner }: StoredMedia) => !withheld.has(owner) && !heldBack.has(url);
  const shown = await timed('files', () => shownFiles(store, catalogue.objects, allowed, kept.folder));
  const { pictures, tiles, ...derived } = await timed('pictures', () =>
    makeDerivatives(shown.files, {
      cache: made,
      format: options.pictureFormat,
      shows: catalogue.objects.map(({ images }) => images),
      onProgress: (done, total) => options.onProgress?.('Pictures', done, total),
    }),
  );

  // A picture that cannot be read is of no use to anyone, unless it is proven to be what the archive has.
  const isBroken = ({ sha256, kind, proven }: ShownFile) => kind === 'image' && proven === null && derived.broken.has(sha256);
  const originals = mirroredFiles(shown.files.filter((row) => row.kind !== 'thumb' && !isBroken(row)));
  const described = await timed('recordings', () => describeFiles(shown.files, catalogue.objects, originals.mirrored, made));
  const { problems, lacking } = joined({ problems: shown.problems, lacking: [] }, derived, described);
  kept.used(shown.files.map(({ sha256 }) => sha256));

  const relations = createRelations(catalogue);
  const epoch = epochOf(options, catalogue.facts);
  const site = join(cache, 'site');
  const pageProblems = createPageProblems();
  for (const { page, cause } of catalogue.problems) pageProblems.lacks(page, cause);
  const ledger = createLedger({ previous: readLedger(cache, epoch), exists: (path) => existsSync(join(site, path)) });
  const pages = await timed('pages', () =>
    renderPages(
      { site: options.site, out: site, cache: join(cache, 'astro') },
      {
        store,
        catalogue,
        relations,
        pictures,
        tiles,
        mirrored: originals.mirrored,
        ledger,
        problems: pageProblems,
        kiosk: options.kiosk,
        searchForms: options.searchForms,
        compact: options.compact,
        languages: options.languages,
        address: options.site,
      },
    ),
  );
  // What is no page of this build may show what was withdrawn since.
  const current = new Set(pages);
  for (const [path, file] of filesBelow(site)) if (!current.has(path)) rmSync(file);
  const extra = join(cache, 'extra');
  rmSync(extra, { recursive: true, force: true });
  await timed('assets', () => writeAssets(extra, { kiosk: options.kiosk !== undefined, compact: options.compact }));
  const [edition] = createEditions(options.languages);
  if (!edition) throw new Error('A site has at least one language');
  for (const [path, text] of machineFiles({ ...catalogue, address: options.site, edition }))
    writeFileSync(join(extra, path), text);
  writeFileSync(join(extra, IDENTITY), identityText(identity));
  writeTileDescriptions(extra, Object.values(tiles), options.site);
  const index = join(cache, 'search');
  const { index: plain, packs } = options.searchForms;
  const { documents, problems: notIndexed }: SearchIndex =
    plain || packs
      ? await timed('search', () =>
          searchIndex(index, epoch, store, catalogue, relations, { pictures, mirrored: originals.mirrored }, options.onProgress),
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
    ...originals.files,
    ...derived.files,
  ]);
  const compacted = options.compact ? await timed('compact', () => compact(sources, join(cache, 'compact'))) : sources;
  if (!options.kiosk) {
    const note = join(extra, 'offline.json');
    writeFileSync(note, `${JSON.stringify(keepable(compacted, plain))}\n`);
    compacted.set('offline.json', note);
  }
  const published = await timed('publish', () => publish(compacted, out));
  writeFileSync(join(cache, LEDGER), JSON.stringify({ epoch, pages: [...ledger.keys()] }));
  kept.finish();
  return {
    ...published,
    pages: pages.filter((path) => path.endsWith('.html')).length,
    documents,
    pictures: Object.keys(pictures).length,
    pageProblems: pageProblems.all(),
    made: derived.made,
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

/** The pages of the last build, where it was made by the same program in the same frame. */
function readLedger(cache: string, epoch: string): Map<string, string> {
  const file = join(cache, LEDGER);
  if (!existsSync(file)) return new Map();
  const kept = JSON.parse(readFileSync(file, 'utf8')) as { epoch: string; pages: Array<[string, string]> };
  return new Map(kept.epoch === epoch ? kept.pages : []);
}
