/** What the first page shows: how much there is, the collections, and a few pictures. */

import type { Entries } from '../../catalogue/catalogue.ts';
import { AUTHORS, BROWSE, COLLECTIONS, GUIDE } from '../../catalogue/urls.ts';
import { compareIds } from '../../model/ids.ts';
import { pictureOf } from '../pictures.ts';
import type { Site } from '../site.ts';
import { type Card, cardOf } from './card.ts';
import { collectionCard } from './collections.ts';

export interface HomeView {
  counts: Array<{ label: string; count: number; path: string }>;
  collections: Card[];
  pictures: Card[];
}

const MOST_COLLECTIONS = 12;
const MOST_PICTURES = 8;

export function homeView({ objects, authors, articles }: Entries, site: Site): HomeView {
  const { pictures, edition: locale } = site;
  const of = (model: string) => objects.filter((entry) => entry.model === model);
  const collections = of('collection').sort((a, b) => compareIds(a.id, b.id));
  const pictured = of('entity')
    .filter((entry) => pictureOf(entry.images, pictures))
    .sort((a, b) => compareIds(a.id, b.id));
  const step = Math.max(1, Math.floor(pictured.length / MOST_PICTURES));
  const { tally } = locale.t.home;
  const count = (what: keyof typeof tally, n: number, path: string) => ({ label: tally[what](n), count: n, path });
  return {
    counts: [
      count('collection', collections.length, COLLECTIONS),
      count('entity', of('entity').length, BROWSE),
      count('segment', of('segment').length, BROWSE),
      count('file', of('file').length, BROWSE),
      count('article', articles.length, GUIDE),
      count('author', authors.length, AUTHORS),
    ].filter((one) => one.count > 0),
    collections: collections.slice(0, MOST_COLLECTIONS).map((entry) => collectionCard(entry, site)),
    pictures: pictured
      .filter((_, i) => i % step === 0)
      .slice(0, MOST_PICTURES)
      .map((entry) => cardOf(entry, site)),
  };
}
