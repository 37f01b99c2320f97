/** The view model of the home page: counts, collections and a few items with images. */

import type { Entries } from '../../catalogue/catalogue.ts';
import { AUTHORS, BROWSE, COLLECTIONS, GUIDE } from '../../catalogue/urls.ts';
import { compareIds } from '../../model/ids.ts';
import { pictureOf } from '../pictures.ts';
import type { Site } from '../site.ts';
import { type Card, cardOf } from './card.ts';
import { collectionCard } from './collections.ts';

/** What the home page shows. */
export interface HomeView {
  /** None that is 0. */
  counts: Array<{ label: string; count: number; path: string }>;
  collections: Card[];
  pictures: Card[];
}

const MAX_COLLECTIONS = 12;
const MAX_ITEMS = 8;

/** Returns the view model of the home page. */
export function homeView({ objects, authors, articles }: Entries, site: Site): HomeView {
  const { pictures, edition: locale } = site;
  const of = (model: string) => objects.filter((entry) => entry.model === model);
  const collections = of('collection').sort((a, b) => compareIds(a.id, b.id));
  const withImages = of('entity')
    .filter((entry) => pictureOf(entry.images, pictures))
    .sort((a, b) => compareIds(a.id, b.id));
  const step = Math.max(1, Math.floor(withImages.length / MAX_ITEMS));
  const { tally } = locale.t.home;
  const count = (name: keyof typeof tally, n: number, path: string) => ({ label: tally[name](n), count: n, path });
  return {
    counts: [
      count('collection', collections.length, COLLECTIONS),
      count('entity', of('entity').length, BROWSE),
      count('segment', of('segment').length, BROWSE),
      count('file', of('file').length, BROWSE),
      count('article', articles.length, GUIDE),
      count('author', authors.length, AUTHORS),
    ].filter((entry) => entry.count > 0),
    collections: collections.slice(0, MAX_COLLECTIONS).map((entry) => collectionCard(entry, site)),
    pictures: withImages
      .filter((_, i) => i % step === 0)
      .slice(0, MAX_ITEMS)
      .map((entry) => cardOf(entry, site)),
  };
}
