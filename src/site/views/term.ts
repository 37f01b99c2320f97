/** One page of the objects that have a value of a facet, and the values of a facet. */
import { type Facet, facetLabel } from '../facets.ts';
import type { Term } from '../relations.ts';
import type { Site } from '../site.ts';
import { facetValuePath } from '../urls.ts';
import { type Card, cardOf, type Shown } from './card.ts';
import { pageCount, slice } from './page.ts';

export interface TermView {
  facet: Facet;
  slug: string;
  label: string;
  page: number;
  pages: number;
  count: number;
  cards: Card[];
}

export function termView(term: Term, page: number, site: Shown): TermView {
  const { facet, slug, objects } = term;
  return {
    facet,
    slug,
    label: facetLabel(site.edition, facet, term),
    page,
    pages: pageCount(objects.length),
    count: objects.length,
    cards: slice(objects, page).map((entry) => cardOf(entry, site)),
  };
}

/** A value of a facet as lists show it. */
export interface TermLine {
  label: string;
  path: string;
  sort: string;
  count: number;
}

/** The values of a facet, in the order of their labels. */
export function termLines({ relations, edition }: Site, facet: Facet): TermLine[] {
  return relations
    .terms(facet)
    .map((term) => {
      const label = facetLabel(edition, facet, term);
      const sort = facet === 'time' ? term.slug : label;
      return { label, path: facetValuePath(facet, term.slug), sort, count: term.objects.length };
    })
    .sort((a, b) => edition.compare(a.sort, b.sort) || (a.path < b.path ? -1 : 1));
}
