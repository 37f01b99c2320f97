/** One page of the objects that have a value of a facet, and the values of a facet. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import type { Facet } from '../../catalogue/facets.ts';
import type { Term } from '../../catalogue/relations.ts';
import { facetValuePath } from '../../catalogue/urls.ts';
import { facetLabel } from '../facet-label.ts';
import type { Edition } from '../language/edition.ts';
import type { Site } from '../site.ts';
import { type Card, cardOf, type Shown } from './card.ts';
import type { NameLine } from './names.ts';
import { pageCount } from './page.ts';

export interface TermView {
  facet: Facet;
  slug: string;
  label: string;
  page: number;
  pages: number;
  count: number;
  cards: Card[];
}

/** `entries` are this page's share of the objects. */
export function termView(term: Term, entries: readonly ObjectEntry[], page: number, site: Shown): TermView {
  const { facet, slug, objects } = term;
  return {
    facet,
    slug,
    label: facetLabel(site.edition, facet, term),
    page,
    pages: pageCount(objects.length),
    count: objects.length,
    cards: entries.map((entry) => cardOf(entry, site)),
  };
}

/** A value of a facet as lists show it. */
export type TermLine = NameLine & { count: number };

const known = new WeakMap<Site['relations'], Map<string, TermLine[]>>();

/** The values of a facet, in the order of their labels. Sorted once: each page of a long list asks for them all. */
export function termLines({ relations, edition: locale }: Site, facet: Facet): TermLine[] {
  const lists = known.get(relations) ?? new Map<string, TermLine[]>();
  known.set(relations, lists);
  const key = `${locale.language} ${facet}`;
  const found = lists.get(key) ?? sortedLines(relations.terms(facet), facet, locale);
  lists.set(key, found);
  return found;
}

function sortedLines(terms: Term[], facet: Facet, locale: Edition): TermLine[] {
  return terms
    .map((term) => {
      const label = facetLabel(locale, facet, term);
      const sort = facet === 'time' ? term.slug : label;
      return { label, path: facetValuePath(facet, term.slug), sort, count: term.objects.length };
    })
    .sort((a, b) => locale.compare(a.sort, b.sort) || (a.path < b.path ? -1 : 1));
}
