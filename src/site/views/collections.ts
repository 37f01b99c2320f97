/** The collections, under the organizations that keep them. */

import type { ObjectEntry } from '../../catalogue/entries.ts';
import { compareIds } from '../../model/ids.ts';
import { pictureOf } from '../pictures.ts';
import type { Site } from '../site.ts';
import { type Card, cardOf } from './card.ts';

export interface CollectionGroup {
  id: string;
  title: string;
  /** Whether the organization has a page of its own. */
  linked: boolean;
  /** How many collections there are; `cards` may be the first of them. */
  count: number;
  cards: Card[];
}

/** Collections that the list of all shows at most; an organization's page has all of its own. */
const MOST_SHOWN = 300;

/** Groups all collections of the archive. */
export function collectionGroups(entries: readonly ObjectEntry[], site: Site): CollectionGroup[] {
  const { relations } = site;
  const collections = [...entries].sort((a, b) => compareIds(a.id, b.id));
  const groups = Map.groupBy(collections, (entry) => entry.id.split('-').slice(0, 2).join('-'));
  const share = Math.max(1, Math.floor(MOST_SHOWN / groups.size));
  return [...groups].map(([id, own]) => {
    const organization = relations.object(id);
    const shown = collections.length > MOST_SHOWN && organization ? own.slice(0, share) : own;
    return {
      id,
      title: organization?.title ?? id,
      linked: organization !== undefined,
      count: own.length,
      cards: shown.map((entry) => collectionCard(entry, site)),
    };
  });
}

/** The card of whatever it is. */
export function cardFor(entry: ObjectEntry, site: Site): Card {
  return entry.model === 'collection' ? collectionCard(entry, site) : cardOf(entry, site);
}

/** A collection's card shows a picture of what it holds, and how much that is. */
export function collectionCard(entry: ObjectEntry, site: Site): Card {
  const { pictures, edition: locale } = site;
  const children = site.relations.children(entry.id);
  const images = [entry, ...children].find((one) => pictureOf(one.images, pictures))?.images ?? [];
  return { ...cardOf({ ...entry, images }, site), date: locale.t.lists.items(children.length) };
}
