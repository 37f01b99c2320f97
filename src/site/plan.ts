/** The page plan: the list of all pages of a build, computed before Astro starts. */
import { createHash } from 'node:crypto';
import type { Entries } from '../catalogue/catalogue.ts';
import { FACETS, type Facet } from '../catalogue/facets.ts';
import {
  ABOUT_PATH,
  ATTRACT_PATH,
  AUTHORS_PATH,
  articlePath,
  authorPath,
  BROWSE_PATH,
  COLLECTIONS_PATH,
  contentsPath,
  facetPath,
  facetValuePath,
  GUIDE_PATH,
  HOME_PATH,
  letterPath,
  NOT_FOUND_PATH,
  objectPath,
  SEARCH_PATH,
} from '../catalogue/urls.ts';
import { objectFileName } from '../platform/portability.ts';
import type { ContentReader } from './content.ts';
import type { Site } from './site.ts';
import { createContentsView, treePages } from './views/contents.ts';
import { countArticlePages, countAuthorPages, createArticleView, createAuthorView } from './views/guide.ts';
import { articleLines, authorLines, letterPages, letterSlug, type NameLine } from './views/name-lists.ts';
import { countPages, createObjectContext } from './views/object-context.ts';
import { pageCount } from './views/page-parts.ts';
import { createTermView, readTermLines, recordsOfTerm } from './views/term.ts';
import { createWithdrawnObjectView } from './views/unavailable.ts';

/** The routes, by their paths below `src/pages/[...lang]`, without extension. */
export const ROUTES = [
  'index',
  '404',
  'about',
  'search',
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
  'guide/index',
  'guide/[slug]',
  'guide/[slug]/[page]',
  'guide/a_z/[letter]',
  'objects/[id]',
  'objects/[id]/[page]',
  'objects/[id]/contents',
  'objects/[id]/contents/[page]',
] as const;
/** One of `ROUTES`. */
export type Route = (typeof ROUTES)[number];

/** The parameters of a route; `lang` is undefined for the language at the top. */
export type Params<Path extends Route = Route> = { [Name in NameIn<Path>]: string } & { lang: string | undefined };
type NameIn<Path extends string> = Path extends `${string}[${infer Name}]${infer Rest}` ? Name | NameIn<Rest> : never;

/** One page of the plan. */
export interface PlannedPage {
  /** Relative to the top of the site, such as `es/objects/demo-1.html`. */
  path: string;
  route: Route;
  params: Readonly<Record<string, string | undefined>>;
  /**
   * Returns the page key, which changes whenever the page does: under the same build key (src/pipeline/build-key.ts), two pages with the same
   * page key are equal. Undefined for pages that show data of the entire archive, which are always rendered.
   */
  key: (() => string) | undefined;
}

type Source = { sites: readonly Site[]; catalogue: Entries; content: ContentReader };

/** One page of a locale, without the locale's prefix. `shows` returns everything that the page shows. */
interface LocalPage {
  path: string;
  route: Route;
  params?: Record<string, string>;
  shows?: () => unknown;
}

/** Yields all pages of a build, language by language, in a fixed order. */
export function* planPages({ sites, catalogue, content }: Source): Generator<PlannedPage> {
  for (const site of sites) {
    const { pathPrefix, language } = site.locale;
    const lang = pathPrefix === '' ? undefined : language;
    for (const { path, route, params = {}, shows } of pagesIn(site, catalogue, content)) {
      yield { path: `${pathPrefix}${path}`, route, params: { ...params, lang }, key: shows && (() => hashOf(shows())) };
    }
  }
}

function hashOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}

function* pagesIn(site: Site, catalogue: Entries, content: ContentReader): Generator<LocalPage> {
  yield { path: HOME_PATH, route: 'index' };
  yield { path: NOT_FOUND_PATH, route: '404' };
  yield { path: ABOUT_PATH, route: 'about' };
  yield { path: SEARCH_PATH, route: 'search' };
  if (site.kiosk) yield { path: ATTRACT_PATH, route: 'attract' };
  yield* objectPages(site, catalogue);
  yield* guidePages(site, catalogue, content);
  yield* browsePages(site);
}

function* objectPages(site: Site, { objects }: Entries): Generator<LocalPage> {
  yield { path: COLLECTIONS_PATH, route: 'collections/index' };
  for (const entry of objects) {
    const id = objectFileName(entry.id);
    for (const page of numbers(countPages(entry, site))) {
      yield {
        ...at(objectPath(entry.id, page), page, { first: 'objects/[id]', further: 'objects/[id]/[page]' }, { id }),
        shows: () => createObjectContext(entry, page, site),
      };
    }
    for (const page of treePages(entry, site)) {
      const routes = { first: 'objects/[id]/contents', further: 'objects/[id]/contents/[page]' } as const;
      yield { ...at(contentsPath(entry.id, page), page, routes, { id }), shows: () => createContentsView(entry, page, site) };
    }
  }
  for (const withdrawn of site.withdrawn.values()) {
    const params = { id: objectFileName(withdrawn.id) };
    yield {
      path: objectPath(withdrawn.id),
      route: 'objects/[id]',
      params,
      shows: () => createWithdrawnObjectView(withdrawn, site),
    };
  }
}

function* guidePages(site: Site, { authors, articles }: Entries, content: ContentReader): Generator<LocalPage> {
  yield { path: AUTHORS_PATH, route: 'authors/index' };
  yield* letters(AUTHORS_PATH, 'authors/a_z/[letter]', authorLines(authors));
  for (const entry of authors) {
    for (const page of numbers(countAuthorPages(entry, site))) {
      const routes = { first: 'authors/[slug]', further: 'authors/[slug]/[page]' } as const;
      yield {
        ...at(authorPath(entry.slug, page), page, routes, { slug: entry.slug }),
        shows: () => createAuthorView(entry, content.author(entry), page, site),
      };
    }
  }
  yield { path: GUIDE_PATH, route: 'guide/index' };
  yield* letters(GUIDE_PATH, 'guide/a_z/[letter]', articleLines(articles));
  for (const entry of articles) {
    for (const page of numbers(countArticlePages(entry, site))) {
      const routes = { first: 'guide/[slug]', further: 'guide/[slug]/[page]' } as const;
      yield {
        ...at(articlePath(entry.slug, page), page, routes, { slug: entry.slug }),
        shows: () => createArticleView(entry, content.article(entry, page), page, site),
      };
    }
  }
}

function* browsePages(site: Site): Generator<LocalPage> {
  yield { path: BROWSE_PATH, route: 'browse/index' };
  for (const facet of FACETS) {
    yield { path: facetPath(facet), route: 'browse/[facet]/index', params: { facet } };
    if (facet !== 'time') yield* letters(facetPath(facet), 'browse/[facet]/a_z/[letter]', readTermLines(site, facet), { facet });
    yield* termPages(facet, site);
  }
}

function* termPages(facet: Facet, site: Site): Generator<LocalPage> {
  const routes = { first: 'browse/[facet]/[slug]', further: 'browse/[facet]/[slug]/[page]' } as const;
  for (const term of site.relations.terms(facet)) {
    const { slug } = term;
    for (const page of numbers(pageCount(term.count))) {
      yield {
        ...at(facetValuePath(facet, slug, page), page, routes, { facet, slug }),
        shows: () => createTermView(term, recordsOfTerm(term, page, site), page, site),
      };
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
    yield { path: letterPath(index, slug), route, params: { ...params, letter: slug } };
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
