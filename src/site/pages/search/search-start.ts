/** The view model of what the search page shows before a search: collections, and frequent topics, places and people. */
import type { Entries } from '../../../catalogue/catalogue.ts';
import { facetPath, PEOPLE_PATH } from '../../../catalogue/urls.ts';
import type { Facet } from '../../../model/facets.ts';
import { MODELS } from '../../../model/ids.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import { isUntitled, shownTitle } from '../../fields/record-title.ts';
import { OWN_KINDS } from '../../own/own-content.ts';
import { mostFrequent } from '../../parts/names/name-lists.ts';
import { readPersonLines } from '../../parts/names/people.ts';
import type { Site } from '../../site.ts';
import { createCollectionCard, sortCollections } from '../collections/collections.ts';
import { readTermLines } from '../term/term.ts';

const MAX_COLLECTIONS = 4;
const MAX_NAMES = 8;

/** Returns what the search page shows before a search. */
export function createSearchStart({ objects, authors, articles }: Entries, site: Site) {
  const { t } = site.locale;
  const collections = sortCollections(objects.allListed('collection'));
  const ofFacet = (facet: Facet) => ({
    label: t.facets[facet].plural,
    path: facetPath(facet),
    lines: mostFrequent(readTermLines(site, facet), MAX_NAMES),
  });
  const ownCounts = OWN_KINDS.map((kind) => site.own.content.pages.filter((page) => page.kind === kind).length);
  const kindCounts = [...MODELS.map((model) => objects.count(model)), authors.length, articles.length, ...ownCounts];
  const people = mostFrequent(readPersonLines(site), MAX_NAMES);
  return {
    /** The number of kinds of records and guide pages, which are the values of the first filter. */
    kindCount: kindCounts.filter((count) => count > 0).length,
    /** Labels of the collections of which only the ID is known, by that. */
    untitled: Object.fromEntries(collections.filter(isUntitled).map((entry) => [entry.id, shownTitle(entry, site.locale)])),
    /** Labels of decades, and of undated records. Years are their own labels. */
    times: Object.fromEntries(
      site.relations
        .terms('time')
        .map((term) => [term.slug, facetLabel(site.locale, 'time', term)])
        .filter(([slug, label]) => slug !== label),
    ),
    /** The number of all collections, of which `collections` are the first ones. */
    collectionCount: collections.length,
    collections: collections.slice(0, MAX_COLLECTIONS).map((entry) => createCollectionCard(entry, site)),
    /** Names, with the path of the list of all. None without names. */
    groups: [
      ofFacet('topic'),
      { label: t.sections.people, path: PEOPLE_PATH, lines: people },
      ofFacet('place'),
      ofFacet('facility'),
    ].filter(({ lines }) => lines.length > 0),
  };
}
