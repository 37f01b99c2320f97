/** The page plan: the list of all pages of a build, computed before Astro starts. */
import type { Entries } from '../catalogue/catalogue.ts';
import * as urls from '../catalogue/urls.ts';
import { FACETS, type Facet } from '../model/facets.ts';
import { objectFileName } from '../platform/portability.ts';
import { countContentsPages } from './pages/contents/contents.ts';
import { countFichePages, hasFiche } from './pages/fiche/fiche.ts';
import { countArticlePages, countAuthorPages } from './pages/guide/guide.ts';
import { countPages } from './pages/object/object-context.ts';
import { readTermLines } from './pages/term/term.ts';
import { hasInterviewPage } from './pages/transcript/transcript.ts';
import { pageCount } from './parts/frame/page-parts.ts';
import { articleLines, letterPages, letterSlug, type NameLine } from './parts/names/name-lists.ts';
import { createAuthorLines, readPersonLines } from './parts/names/people.ts';
import type { Site } from './site.ts';

/** The kind of the addresses that take readers to another page. */
export const MOVED_KIND = 'author';

/** What the component of a page gets beside the site and its path. */
export type PageProps = Readonly<Record<string, string | number>>;

/** One page of the plan. */
export interface PlannedPage {
  /** Relative to the top of the site, such as `es/objects/demo-1.html`. */
  path: string;
  /** The part of the path that says its language, such as `es/`. */
  pathPrefix: string;
  /** The directory in `src/site/pages` whose `page.astro` renders it. */
  kind: string;
  props: PageProps;
  /** Whether it shows data of the entire archive, so that it is rendered whenever anything changed. */
  isWhole: boolean;
}

/** One page of a locale, without the locale's prefix. */
type LocalPage = Pick<PlannedPage, 'path' | 'kind'> & Partial<Pick<PlannedPage, 'props' | 'isWhole'>>;

/** Yields all pages of a build, language by language, in a fixed order. */
export function* planPages({ sites, entries }: { sites: readonly Site[]; entries: Entries }): Generator<PlannedPage> {
  for (const site of sites) {
    const { pathPrefix } = site.locale;
    for (const { path, kind, props = {}, isWhole = false } of pagesIn(site, entries))
      yield { path: `${pathPrefix}${path}`, pathPrefix, kind, props, isWhole };
  }
}

function* pagesIn(site: Site, entries: Entries): Generator<LocalPage> {
  const isLeftOut: Readonly<Record<string, boolean>> = {
    saved: Boolean(site.kiosk),
    data: Boolean(site.kiosk),
    know: site.design?.contributions === false,
    attract: !site.kiosk,
    exhibits: !site.own.content.pages.some(({ kind }) => kind === 'exhibits'),
  };
  for (const [kind, path] of Object.entries(urls.SINGLE_PAGES)) if (!isLeftOut[kind]) yield { path, kind, isWhole: true };
  for (const { kind, slug, isWhole } of site.own.content.pages)
    yield { path: urls.ownPath(kind, slug), kind: 'own', props: { kind, slug }, isWhole };
  yield* objectPages(site, entries);
  yield* letters(urls.PEOPLE_PATH, 'people', readPersonLines(site), site);
  for (const { slug } of site.relations.people()) yield { path: urls.personPath(slug), kind: 'person', props: { slug } };
  yield* guidePages(site, entries);
  for (const facet of FACETS) yield* facetPages(facet, site);
}

function* objectPages(site: Site, { objects }: Entries): Generator<LocalPage> {
  const parents = objects.parents();
  for (const recordId of objects.ids()) {
    const id = objectFileName(recordId);
    // Only what a record has below it takes further pages.
    const entry = parents.has(recordId) ? site.relations.object(recordId) : undefined;
    yield* numbered(entry ? countPages(entry, site) : 1, 'object', { id }, (page) => urls.objectPath(recordId, page));
    if (!entry) continue;
    yield* numbered(countContentsPages(entry, site), 'contents', { id }, (page) => urls.contentsPath(recordId, page));
    if (hasFiche(entry, site))
      yield* numbered(countFichePages(entry, site), 'fiche', { id }, (page) => urls.fichePath(recordId, page));
    if (hasInterviewPage(entry, site)) yield { path: urls.transcriptPath(recordId), kind: 'transcript', props: { id } };
  }
  for (const { id } of site.withdrawn.values())
    yield { path: urls.objectPath(id), kind: 'object', props: { id: objectFileName(id), page: 1 } };
}

function* guidePages(site: Site, { authors, articles }: Entries): Generator<LocalPage> {
  yield* letters(urls.AUTHORS_PATH, 'authors', createAuthorLines(authors, site), site);
  for (const entry of authors) {
    const { slug } = entry;
    yield* numbered(countAuthorPages(entry, site), MOVED_KIND, { slug }, (page) => urls.authorPath(slug, page));
  }
  yield* letters(urls.GUIDE_PATH, 'guide-list', articleLines(articles, site.locale), site);
  for (const entry of articles) {
    const { slug } = entry;
    yield* numbered(countArticlePages(entry, site), 'guide', { slug }, (page) => urls.articlePath(slug, page));
  }
}

function* facetPages(facet: Facet, site: Site): Generator<LocalPage> {
  yield { path: urls.facetPath(facet), kind: 'facet', props: { facet }, isWhole: true };
  if (facet !== 'time') yield* letters(urls.facetPath(facet), 'facet', readTermLines(site, facet), site, { facet });
  for (const { slug, count } of site.relations.terms(facet))
    yield* numbered(pageCount(count), 'term', { facet, slug }, (page) => urls.facetValuePath(facet, slug, page));
}

/** Yields the pages of what has several. */
function* numbered(count: number, kind: string, props: PageProps, pathOf: (page: number) => string): Generator<LocalPage> {
  for (let page = 1; page <= count; page++) yield { path: pathOf(page), kind, props: { ...props, page } };
}

/** Yields the letter pages of a list that is too long for one page. */
function* letters(index: string, kind: string, lines: NameLine[], { locale }: Site, props: PageProps = {}): Generator<LocalPage> {
  for (const { letter, number } of letterPages(lines, locale)) {
    const slug = letterSlug(letter, number);
    yield { path: urls.letterPath(index, slug), kind, props: { ...props, letter: slug }, isWhole: true };
  }
}
