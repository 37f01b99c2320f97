/** The view model of the list of collections, grouped by organization. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { sortById } from '../../../model/ids.ts';
import { truncateWords } from '../../../model/text/text.ts';
import { isUntitled, shownTitle } from '../../fields/record-title.ts';
import { type Card, createCard } from '../../parts/cards/card.ts';
import type { Site } from '../../site.ts';
import { textLang } from '../../text/text-lang.ts';

/** Maximum number of collections in the complete list. An organization's own page shows all of its collections. */
const MAX_COLLECTIONS = 300;

/** Returns collections in the order of lists: those of which only the ID is known come last. */
export function sortCollections(entries: Iterable<ListedEntry>): ListedEntry[] {
  const sorted = sortById(entries);
  return [...sorted.filter((entry) => !isUntitled(entry)), ...sorted.filter(isUntitled)];
}

/** Groups the collections of an archive by organization: last those of which no collection has a title. */
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
      title: organization ? shownTitle(organization, site.locale) : id,
      /** Whether the organization has a page of its own. */
      hasPage: organization !== undefined,
      /** The number of collections; `cards` may have only the first ones. */
      count: group.length,
      cards: listed.map((entry) => createDescribedCollectionCard(entry, site)),
      hasTitles: group.some((entry) => !isUntitled(entry)),
    };
  });
  return [...shown.filter(({ hasTitles }) => hasTitles), ...shown.filter(({ hasTitles }) => !hasTitles)];
}

/** Returns the card of a record of any model. */
export function createEntryCard(entry: ListedEntry, site: Site): Card {
  return entry.model === 'collection' ? createCollectionCard(entry, site) : createCard(entry, site);
}

/** Returns the card of a collection, with its number of items, unless none is in this copy. */
export function createCollectionCard(entry: ListedEntry, site: Site): Card {
  const { kind, date, ...card } = createCard(entry, site);
  const count = site.relations.children(entry.id).length;
  return { ...card, kind, date: count === 0 ? undefined : site.locale.t.lists.items(count), saved: { kind, date } };
}

/** Characters of the description on a card. */
const MAX_LINE = 140;
/** Items whose titles are on the card of a collection without a description. */
const MAX_TITLES = 3;

/** Returns a collection's card in a list of collections: with dates, number of items, and beginning of its description. */
export function createDescribedCollectionCard(entry: ListedEntry, site: Site): Card {
  const { date: count = '', ...card } = createCollectionCard(entry, site);
  const { relations } = site;
  const items = relations.children(entry.id).slice(0, MAX_TITLES);
  const titles = items.flatMap((item) => (isUntitled(item) ? [] : item.title)).join(' · ');
  const excerpt = relations.entry(entry.id)?.excerpt || titles;
  return {
    ...card,
    date: entry.date && site.locale.formatRecordDate(entry.date),
    kind: count,
    notes: excerpt === '' ? [] : [truncateWords(excerpt, MAX_LINE)],
    noteLang: textLang(excerpt, site, entry),
  };
}
