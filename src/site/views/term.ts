/** One page of the objects that have a value of a facet. */
import type { Facet } from '../facets.ts';
import type { Pictures } from '../pictures.ts';
import type { Term } from '../relations.ts';
import { type Card, cardOf } from './card.ts';
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

export function termView({ facet, slug, label, objects }: Term, page: number, pictures: Pictures): TermView {
  return {
    facet,
    slug,
    label,
    page,
    pages: pageCount(objects.length),
    count: objects.length,
    cards: slice(objects, page).map((entry) => cardOf(entry, pictures)),
  };
}
