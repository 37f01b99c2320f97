/** The view model of the home page: counts, featured records, ways to explore, the timeline, and collections. */
import type { Entries } from '../../../catalogue/catalogue.ts';
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { BROWSE_PATH, COLLECTIONS_PATH, facetPath, GUIDE_PATH, PEOPLE_PATH } from '../../../catalogue/urls.ts';
import { WAY_FACETS } from '../../../model/facets.ts';
import { isUntitled } from '../../fields/record-title.ts';
import { rightsGroupOf } from '../../fields/rights-groups.ts';
import type { Card } from '../../parts/cards/card.ts';
import { createArticleCards } from '../../parts/cards/index-cards.ts';
import { mostFrequent, type NameLine } from '../../parts/names/name-lists.ts';
import { readPersonLines } from '../../parts/names/people.ts';
import type { Site } from '../../site.ts';
import { createDescribedCollectionCard, sortCollections } from '../collections/collections.ts';
import { createFaces } from '../people/faces.ts';
import { readTermLines } from '../term/term.ts';
import { type Candidate, createFeatured, spread, toCandidate } from './featured.ts';
import { createDayRecords } from './on-this-day.ts';

/** The content of the home page. */
export type HomeView = ReturnType<typeof createHomeView>;

/** Fills the rows of 2 and 4 columns. */
const MAX_COLLECTIONS = 8;
/** Some of the collections are shown in whole rows. */
const ROW = 4;
const MAX_WAYS = 4;
const MAX_GUIDE_PAGES = 4;
const MAX_EXAMPLES = 4;
/** One row. A row of fewer looks like a mistake. */
const [MIN_FACES, MAX_FACES] = [3, 7];

/** Returns the view model of the home page. */
export function createHomeView(entries: Entries, site: Site) {
  const { objects, articles } = entries;
  const { tally } = site.locale.t.home;
  const faces = createFaces(MAX_FACES, site);
  const collections = sortCollections(objects.allListed('collection'));
  const shown = chooseCollections(collections);
  const cards = shown.map((entry) => createDescribedCollectionCard(entry, site));
  const count = (name: keyof typeof tally, n: number, path: string) => ({ label: tally[name](n), count: n, path });
  return {
    /** None that is 0. */
    counts: [
      count('collection', collections.length, COLLECTIONS_PATH),
      count('entity', objects.count('entity'), BROWSE_PATH),
      count('segment', objects.count('segment'), BROWSE_PATH),
      count('article', articles.length, GUIDE_PATH),
    ].filter((entry) => entry.count > 0),
    ...readItems(entries, site),
    /** Some pages of the guide, and the number of all. */
    guide: createArticleCards(spread(articles, MAX_GUIDE_PAGES), site),
    guideCount: articles.length,
    /** Those who were interviewed; none if there are too few for a row. */
    faces: faces.length < MIN_FACES ? [] : faces,
    ways: createWays(collections.length, cards, site),
    /** Whether there are records that anyone may reuse. */
    hasFree: site.relations.terms('rights').some(({ label, count }) => count > 0 && rightsGroupOf(label) === 'free'),
    /** The values of the facet “time”. */
    times: readTermLines(site, 'time'),
    /** All, or the first of many, without those of which only the ID is known. */
    collections: cards,
    /** The number of all. */
    collectionCount: collections.length,
  };
}

/** Returns all collections if they are few and have titles, or else some that fill whole rows. */
function chooseCollections(collections: readonly ListedEntry[]): ListedEntry[] {
  const titled = collections.filter((entry) => !isUntitled(entry));
  const shown = (titled.length > 0 ? titled : collections).slice(0, MAX_COLLECTIONS);
  const isAll = shown.length === collections.length;
  return isAll || shown.length < ROW ? shown : shown.slice(0, shown.length - (shown.length % ROW));
}

/** Reads all items once: for those that are featured, and for those of each day of the year. */
function readItems(entries: Entries, site: Site) {
  const days = createDayRecords(site);
  const candidates: Candidate[] = [];
  for (const entry of entries.objects.withMedia('entity')) {
    days.add(entry);
    const candidate = toCandidate(entry, site);
    if (candidate) candidates.push(candidate);
  }
  return { featured: createFeatured(entries, candidates, site), dayRecords: days.list() };
}

/** Returns ways to explore the archive, with examples. */
function createWays(collectionCount: number, collections: readonly Card[], site: Site) {
  const { t } = site.locale;
  const { ways } = t.home;
  const ofNames = (label: string, path: string, explanation: string, lines: NameLine[]) => ({
    label,
    path,
    explanation,
    count: lines.length,
    examples: mostFrequent(lines, MAX_EXAMPLES),
  });
  return [
    ofNames(t.sections.people, PEOPLE_PATH, ways.people, readPersonLines(site)),
    {
      label: t.sections.collections,
      path: COLLECTIONS_PATH,
      explanation: ways.collections,
      count: collectionCount,
      examples: collections.slice(0, MAX_EXAMPLES).map(({ title, path }) => ({ label: title, path, sort: title })),
    },
    ...WAY_FACETS.filter((facet) => site.design?.facets?.includes(facet) ?? true).map((facet) =>
      ofNames(t.facets[facet].plural, facetPath(facet), ways[facet], readTermLines(site, facet)),
    ),
  ]
    .filter(({ count }) => count > 0)
    .slice(0, MAX_WAYS);
}
