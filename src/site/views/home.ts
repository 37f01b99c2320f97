/** What the first page shows: how much there is, the collections, and a few pictures. */
import { compareIds } from '../../model/ids.ts';
import type { ObjectEntry } from '../entries.ts';
import { type Pictures, pictureOf } from '../pictures.ts';
import type { Relations } from '../relations.ts';
import { BROWSE, COLLECTIONS } from '../urls.ts';
import { type Card, cardOf } from './card.ts';
import { collectionCard } from './collections.ts';

export interface HomeView {
  counts: Array<{ label: string; count: number; path: string }>;
  collections: Card[];
  pictures: Card[];
}

const MOST_COLLECTIONS = 12;
const MOST_PICTURES = 8;

export function homeView(objects: ObjectEntry[], relations: Relations, pictures: Pictures): HomeView {
  const of = (model: string) => objects.filter((entry) => entry.model === model);
  const collections = of('collection').sort((a, b) => compareIds(a.id, b.id));
  const pictured = of('entity')
    .filter((entry) => pictureOf(entry.images, pictures))
    .sort((a, b) => compareIds(a.id, b.id));
  const step = Math.max(1, Math.floor(pictured.length / MOST_PICTURES));
  const count = (model: string, one: string, many: string, path: string) => {
    const { length } = of(model);
    return { label: length === 1 ? one : many, count: length, path };
  };
  return {
    counts: [
      count('collection', 'collection', 'collections', COLLECTIONS),
      count('entity', 'object', 'objects', BROWSE),
      count('segment', 'interview segment', 'interview segments', BROWSE),
      count('file', 'file', 'files', BROWSE),
    ],
    collections: collections.slice(0, MOST_COLLECTIONS).map((entry) => collectionCard(entry, relations, pictures)),
    pictures: pictured
      .filter((_, i) => i % step === 0)
      .slice(0, MOST_PICTURES)
      .map((entry) => cardOf(entry, pictures)),
  };
}
