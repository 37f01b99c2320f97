/** The page plan: the list of all pages of a build, computed before Astro starts. */
import type { Entries } from '../catalogue/catalogue.ts';
import {
  ABOUT_PATH,
  ACCESSIBILITY_PATH,
  ATTRACT_PATH,
  AUTHORS_PATH,
  articlePath,
  authorPath,
  BROWSE_PATH,
  COLLECTIONS_PATH,
  contentsPath,
  EXHIBITS_PATH,
  facetPath,
  facetValuePath,
  GUIDE_PATH,
  HOME_PATH,
  letterPath,
  NOT_FOUND_PATH,
  objectPath,
  ownPath,
  PEOPLE_PATH,
  personPath,
  SAVED_PATH,
  SEARCH_PATH,
  transcriptPath,
} from '../catalogue/urls.ts';
import { FACETS, type Facet } from '../model/facets.ts';
import { objectFileName } from '../platform/portability.ts';
import { findingAidPages } from './pages/contents/contents.ts';
import { countArticlePages, countAuthorPages } from './pages/guide/guide.ts';
import { countPages } from './pages/object/object-context.ts';
import { readTermLines } from './pages/term/term.ts';
import { hasTranscript } from './pages/transcript/transcript.ts';
import { pageCount } from './parts/frame/page-parts.ts';
import { articleLines, letterPages, letterSlug, type NameLine } from './parts/names/name-lists.ts';
import { createAuthorLines, readPersonLines } from './parts/names/people.ts';
import type { Site } from './site.ts';

/** The routes, by their paths below `src/pages/[...lang]`, without extension. */
export const ROUTES = [
  'index',
  '404',
  'about',
  'accessibility',
  'search',
  'saved',
  'attract',
  'authors/index',
  'authors/[slug]',
  'authors/[slug]/[page]',
  'authors/a_z/[letter]',
  'browse/index',
  'browse/[facet]/index',
  'browse/[facet]/[slug]',
  'browse/[facet]/[slug]/[page]',
  'browse/[facet]/a_z/[letter]',
  'collections/index',
  'people/index',
  'people/[slug]',
  'people/a_z/[letter]',
  'guide/index',
  'guide/[slug]',
  'guide/[slug]/[page]',
  'guide/a_z/[letter]',
  'pages/[slug]',
  'exhibits/index',
  'exhibits/[slug]',
  'objects/[id]',
  'objects/[id]/[page]',
  'objects/[id]/contents',
  'objects/[id]/contents/[page]',
  'objects/[id]/transcript',
] as const;
/** One of `ROUTES`. */
export type Route = (typeof ROUTES)[number];

/** The routes of addresses that take readers to another page. */
export const MOVED_ROUTES: ReadonlySet<Route> = new Set<Route>(['authors/[slug]', 'authors/[slug]/[page]']);

/** The parameters of a route; `lang` is undefined for the language at the top. */
export type Params<Path extends Route = Route> = { [Name in NameIn<Path>]: string } & { lang: string | undefined };
type NameIn<Path extends string> = Path extends `${string}[${infer Name}]${infer Rest}` ? Name | NameIn<Rest> : never;

/** One page of the plan. */
export interface PlannedPage {
  /** Relative to the top of the site, such as `es/objects/demo-1.html`. */
  path: string;
  route: Route;
  params: Readonly<Record<string, string | undefined>>;
  /** Whether it shows data of the entire archive, so that it is rendered whenever anything changed. */
  isWhole: boolean;
}

type Source = { sites: readonly Site[]; entries: Entries };

/** One page of a locale, without the locale's prefix. */
interface LocalPage {
  path: string;
  route: Route;
  params?: Record<string, string>;
  isWhole?: boolean;
}

/** Yields all pages of a build, language by language, in a fixed order. */
export function* planPages({ sites, entries }: Source): Generator<PlannedPage> {
  for (const site of sites) {
    const { pathPrefix, language } = site.locale;
    const lang = pathPrefix === '' ? undefined : language;
    for (const { path, route, params = {}, isWhole = false } of pagesIn(site, entries)) {
      yield { path: `${pathPrefix}${path}`, route, params: { ...params, lang }, isWhole };
    }
  }
}

function* pagesIn(site: Site, entries: Entries): Generator<LocalPage> {
  yield { path: HOME_PATH, route: 'index', isWhole: true };
  yield { path: NOT_FOUND_PATH, route: '404', isWhole: true };
  yield { path: ABOUT_PATH, route: 'about', isWhole: true };
  yield { path: ACCESSIBILITY_PATH, route: 'accessibility', isWhole: true };
  yield { path: SEARCH_PATH, route: 'search', isWhole: true };
  if (!site.kiosk) yield { path: SAVED_PATH, route: 'saved', isWhole: true };
  if (site.kiosk) yield { path: ATTRACT_PATH, route: 'attract', isWhole: true };
  yield* ownPages(site);
  yield* objectPages(site, entries);
  yield* peoplePages(site);
  yield* guidePages(site, entries);
  yield* browsePages(site);
}

function* ownPages({ own: { content } }: Site): Generator<LocalPage> {
  if (content.pages.some(({ kind }) => kind === 'exhibits'))
    yield { path: EXHIBITS_PATH, route: 'exhibits/index', isWhole: true };
  for (const { kind, slug, isWhole } of content.pages)
    yield { path: ownPath(kind, slug), route: `${kind}/[slug]`, params: { slug }, isWhole };
}

function* objectPages(site: Site, { objects }: Entries): Generator<LocalPage> {
  yield { path: COLLECTIONS_PATH, route: 'collections/index', isWhole: true };
  const parents = objects.parents();
  for (const recordId of objects.ids()) {
    const id = objectFileName(recordId);
    // Only what a record has below it takes further pages.
    const entry = parents.has(recordId) ? site.relations.object(recordId) : undefined;
    for (const page of numbers(entry ? countPages(entry, site) : 1)) {
      yield at(objectPath(recordId, page), page, { first: 'objects/[id]', further: 'objects/[id]/[page]' }, { id });
    }
    for (const page of entry ? findingAidPages(entry, site) : []) {
      const routes = { first: 'objects/[id]/contents', further: 'objects/[id]/contents/[page]' } as const;
      yield at(contentsPath(recordId, page), page, routes, { id });
    }
    if (entry && hasTranscript(entry, site))
      yield { path: transcriptPath(recordId), route: 'objects/[id]/transcript', params: { id } };
  }
  for (const withdrawn of site.withdrawn.values()) {
    const params = { id: objectFileName(withdrawn.id) };
    yield {
      path: objectPath(withdrawn.id),
      route: 'objects/[id]',
      params,
    };
  }
}

function* peoplePages(site: Site): Generator<LocalPage> {
  yield { path: PEOPLE_PATH, route: 'people/index', isWhole: true };
  yield* letters(PEOPLE_PATH, 'people/a_z/[letter]', readPersonLines(site));
  for (const { slug } of site.relations.people()) yield { path: personPath(slug), route: 'people/[slug]', params: { slug } };
}

function* guidePages(site: Site, { authors, articles }: Entries): Generator<LocalPage> {
  yield { path: AUTHORS_PATH, route: 'authors/index', isWhole: true };
  yield* letters(AUTHORS_PATH, 'authors/a_z/[letter]', createAuthorLines(authors, site));
  for (const entry of authors) {
    for (const page of numbers(countAuthorPages(entry, site))) {
      const routes = { first: 'authors/[slug]', further: 'authors/[slug]/[page]' } as const;
      yield at(authorPath(entry.slug, page), page, routes, { slug: entry.slug });
    }
  }
  yield { path: GUIDE_PATH, route: 'guide/index', isWhole: true };
  yield* letters(GUIDE_PATH, 'guide/a_z/[letter]', articleLines(articles));
  for (const entry of articles) {
    for (const page of numbers(countArticlePages(entry, site))) {
      const routes = { first: 'guide/[slug]', further: 'guide/[slug]/[page]' } as const;
      yield at(articlePath(entry.slug, page), page, routes, { slug: entry.slug });
    }
  }
}

function* browsePages(site: Site): Generator<LocalPage> {
  yield { path: BROWSE_PATH, route: 'browse/index', isWhole: true };
  for (const facet of FACETS) {
    yield { path: facetPath(facet), route: 'browse/[facet]/index', params: { facet }, isWhole: true };
    if (facet !== 'time') yield* letters(facetPath(facet), 'browse/[facet]/a_z/[letter]', readTermLines(site, facet), { facet });
    yield* termPages(facet, site);
  }
}

function* termPages(facet: Facet, site: Site): Generator<LocalPage> {
  const routes = { first: 'browse/[facet]/[slug]', further: 'browse/[facet]/[slug]/[page]' } as const;
  for (const term of site.relations.terms(facet)) {
    const { slug } = term;
    for (const page of numbers(pageCount(term.count))) {
      yield at(facetValuePath(facet, slug, page), page, routes, { facet, slug });
    }
  }
}

/** Returns the first page of something, or a further one, which has another route. */
function at(
  path: string,
  page: number,
  { first, further }: { first: Route; further: Route },
  params: Record<string, string>,
): LocalPage {
  return page === 1 ? { path, route: first, params } : { path, route: further, params: { ...params, page: String(page) } };
}

/** Yields the letter pages of a list that is too long for one page. */
function* letters(index: string, route: Route, lines: NameLine[], params: Record<string, string> = {}): Generator<LocalPage> {
  for (const { letter, number } of letterPages(lines)) {
    const slug = letterSlug(letter, number);
    yield { path: letterPath(index, slug), route, params: { ...params, letter: slug }, isWhole: true };
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
