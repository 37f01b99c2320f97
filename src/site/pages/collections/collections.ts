/** The view model of the list of collections, grouped by organization. */

import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import { sortById } from '../../../model/ids.ts';
import { truncateWords } from '../../../model/text/text.ts';
import { isUntitled, shownTitle } from '../../fields/record-title.ts';
import { type Card, createCard } from '../../parts/cards/card.ts';
import type { Site } from '../../site.ts';

/** Maximum number of collections in the complete list. An organization's own page shows all of its collections. */
const MAX_COLLECTIONS = 300;

/** Returns collections in the order of lists: those of which only the ID is known come last. */
export function sortCollections(entries: Iterable<ListedEntry>): ListedEntry[] {
  const sorted = sortById(entries);
  return [...sorted.filter((entry) => !isUntitled(entry)), ...sorted.filter(isUntitled)];
}

/** Groups the collections of an archive by organization: last those that have only IDs to show. */
export function collectionGroups(entries: readonly ListedEntry[], site: Site) {
  const { relations } = site;
  const collections = sortById(entries);
  const groups = Map.groupBy(collections, (entry) => entry.id.split('-').slice(0, 2).join('-'));
  const share = Math.max(1, Math.floor(MAX_COLLECTIONS / groups.size));
  const shown = [...groups].map(([id, group]) => {
    const organization = relations.object(id);
    const sorted = sortCollections(group);
    const listed = collections.length > MAX_COLLECTIONS && organization ? sorted.slice(0, share) : sorted;
    return {
      id,
      title: organization ? shownTitle(organization, site.locale.t) : id,
      /** Whether the organization has a page of its own. */
      hasPage: organization !== undefined,
      /** The number of collections; `cards` and `untitled` may have only the first ones. */
      count: group.length,
      cards: listed.filter((entry) => !isUntitled(entry)).map((entry) => createDescribedCollectionCard(entry, site)),
      untitled: listed.filter(isUntitled).map((entry) => ({ id: entry.id, path: objectPath(entry.id) })),
    };
  });
  return [...shown.filter(({ cards }) => cards.length > 0), ...shown.filter(({ cards }) => cards.length === 0)];
}

/** Returns the card of a record of any model. */
export function createEntryCard(entry: ListedEntry, site: Site): Card {
  return entry.model === 'collection' ? createCollectionCard(entry, site) : createCard(entry, site);
}

/** Returns the card of a collection, with its number of items. */
export function createCollectionCard(entry: ListedEntry, site: Site): Card {
  const { kind, date, ...card } = createCard(entry, site);
  const items = site.locale.t.lists.items(site.relations.children(entry.id).length);
  return { ...card, kind, date: items, saved: { kind, date } };
}

/** Characters of the description on a card. */
const MAX_LINE = 140;

/** Returns a collection's card in a list of collections: with dates, number of items, and beginning of its description. */
export function createDescribedCollectionCard(entry: ListedEntry, site: Site): Card {
  const { date: items, ...card } = createCollectionCard(entry, site);
  const excerpt = site.relations.entry(entry.id)?.excerpt ?? '';
  return {
    ...card,
    date: entry.date && site.locale.formatRecordDate(entry.date),
    kind: items ?? '',
    notes: excerpt === '' ? (card.notes ?? []) : [truncateWords(excerpt, MAX_LINE)],
  };
}
