/** The view model of the home page: counts, collections and a few items with images. */

import type { Entries } from '../../catalogue/catalogue.ts';
import { AUTHORS_PATH, BROWSE_PATH, COLLECTIONS_PATH, GUIDE_PATH } from '../../catalogue/urls.ts';
import { compareIds } from '../../model/ids.ts';
import { firstImage } from '../images.ts';
import type { Site } from '../site.ts';
import { type Card, createCard } from './card.ts';
import { createCollectionCard } from './collections.ts';

/** The content of the home page. */
export interface HomeView {
  /** None that is 0. */
  counts: Array<{ label: string; count: number; path: string }>;
  collections: Card[];
  images: Card[];
}

const MAX_COLLECTIONS = 12;
const MAX_ITEMS = 8;

/** Returns the view model of the home page. */
export function createHomeView({ objects, authors, articles }: Entries, site: Site): HomeView {
  const { images, locale } = site;
  const collections = [...objects.allListed('collection')].sort((a, b) => compareIds(a.id, b.id));
  const withImages = Iterator.from(objects.withMedia('entity'))
    .filter(({ imageUrls }) => firstImage(imageUrls, images))
    .map(({ id }) => id)
    .toArray()
    .sort(compareIds);
  const step = Math.max(1, Math.floor(withImages.length / MAX_ITEMS));
  const { tally } = locale.t.home;
  const count = (name: keyof typeof tally, n: number, path: string) => ({ label: tally[name](n), count: n, path });
  return {
    counts: [
      count('collection', collections.length, COLLECTIONS_PATH),
      count('entity', objects.count('entity'), BROWSE_PATH),
      count('segment', objects.count('segment'), BROWSE_PATH),
      count('file', objects.count('file'), BROWSE_PATH),
      count('article', articles.length, GUIDE_PATH),
      count('author', authors.length, AUTHORS_PATH),
    ].filter((entry) => entry.count > 0),
    collections: collections.slice(0, MAX_COLLECTIONS).map((entry) => createCollectionCard(entry, site)),
    images: withImages
      .filter((_, i) => i % step === 0)
      .slice(0, MAX_ITEMS)
      .flatMap((id) => objects.listed(id) ?? [])
      .map((entry) => createCard(entry, site)),
  };
}
