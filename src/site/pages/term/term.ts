/** The view models of a facet value's page, and of the list of a facet's values. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { filterValue } from '../../../catalogue/lists/facets.ts';
import type { Term } from '../../../catalogue/lists/relations.ts';
import { hasPersonPage, isPersonFacet } from '../../../catalogue/people/person-entries.ts';
import { facetValuePath, personPath } from '../../../catalogue/urls.ts';
import { type Facet, NAME_FACETS } from '../../../model/facets.ts';
import { withoutArticle } from '../../../model/text/sort-key.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import type { Locale } from '../../language/locale.ts';
import { createTermRecords, type TermRecords } from '../../parts/cards/term-records.ts';
import { pageCount, pageSlice } from '../../parts/frame/page-parts.ts';
import { hasSearch } from '../../parts/frame/suggestions.ts';
import { createListCache, type NameLine } from '../../parts/names/name-lists.ts';
import { filedLine } from '../../parts/names/people.ts';
import type { Site } from '../../site.ts';
import { createTermHead, type TermHead } from './term-head.ts';

/** One page of the records with a facet value. */
export interface TermView {
  facet: Facet;
  slug: string;
  label: string;
  /** From 1. */
  page: number;
  /** The number of pages. */
  pages: number;
  /** The number of all records. */
  count: number;
  /** What its records are, on the first page of a value that has any. */
  head: TermHead | undefined;
  records: TermRecords;
  /** Path of the page of the person whose records these are. */
  about: string | undefined;
  /** The query of a search for the records; undefined if the site cannot search for them. */
  query: string | undefined;
  /** The people who have this name and a page of their own. */
  people: TermLine[];
  /** Pages of a person's names: with other people of the name, or for another form of it. */
  names: TermLine[];
}

/** Returns one page of a facet value. `entries` are the records on this page. */
export function createTermView(term: Term, entries: readonly ListedEntry[], page: number, site: Site): TermView {
  const { facet, slug, count } = term;
  return {
    facet,
    slug,
    label: facetLabel(site.locale, facet, term),
    page,
    pages: pageCount(count),
    count,
    head: page === 1 && count > 0 ? createTermHead(term, site) : undefined,
    records: createTermRecords(entries, site),
    about: isPersonFacet(facet) && count > 0 && hasPersonPage(term) ? personPath(slug) : undefined,
    query: count > 0 && hasSearch(site) ? queryOf(term) : undefined,
    people: page === 1 ? linesOf(term.people, facet, site) : [],
    names: page === 1 ? linesOf(term.names, facet, site) : [],
  };
}

/** Returns the query of a search for the records with a facet value. */
function queryOf(term: Term): string {
  return new URLSearchParams({ [term.facet]: filterValue(term) }).toString();
}

/** Returns the records with a facet value on one page, from 1. */
export function recordsOfTerm(
  { facet, slug }: Pick<Term, 'facet' | 'slug'>,
  page: number,
  { relations }: Pick<Site, 'relations'>,
): ListedEntry[] {
  return pageSlice(relations.recordsWith(facet, slug), page);
}

function linesOf(slugs: string[], facet: Facet, { relations, locale }: Pick<Site, 'relations' | 'locale'>): TermLine[] {
  return sortTermLines(
    slugs.flatMap((slug) => relations.term(facet, slug) ?? []),
    facet,
    locale,
  );
}

/** A facet value in a list. */
export type TermLine = NameLine & { slug: string; count: number };

const cache = createListCache<TermLine>();

/** Returns a facet's values by label. Pages with them are remade after any change, since cache reads are not recorded. */
export function readTermLines(site: Site, facet: Facet): TermLine[] {
  const { relations, locale } = site;
  return cache.read(site, facet, () =>
    sortTermLines(
      relations.terms(facet).filter(({ count }) => count > 0),
      facet,
      locale,
    ),
  );
}

function sortTermLines(terms: Term[], facet: Facet, locale: Locale): TermLine[] {
  return terms
    .map((term) => {
      const path = facetValuePath(facet, term.slug);
      if (NAME_FACETS.includes(facet)) return { ...filedLine(term, locale), path, slug: term.slug, count: term.count };
      const label = facetLabel(locale, facet, term);
      return { label, path, slug: term.slug, sort: facet === 'time' ? term.slug : withoutArticle(label), count: term.count };
    })
    .sort((a, b) => locale.compare(a.sort, b.sort) || locale.compare(a.label, b.label) || (a.path < b.path ? -1 : 1));
}
