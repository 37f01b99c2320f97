/** Lists the names that are suggested while a reader types. */
import type { Entries } from '../catalogue/catalogue.ts';
import type { ListedEntry } from '../catalogue/entries.ts';
import type { Facet } from '../catalogue/facets.ts';
import type { PersonEntry } from '../catalogue/person-entries.ts';
import type { Relations } from '../catalogue/relations.ts';
import { articlePath, facetValuePath, objectPath, ownPath, personPath } from '../catalogue/urls.ts';
import { type KeyedName, keysOf, type Name } from '../client/names.ts';
import { filedName } from '../model/filing.ts';
import { stepsOfTerm } from '../model/term-steps.ts';
import type { OwnContent } from '../site/own/own-content.ts';
import { isUntitled } from '../site/record-title.ts';
import { OWN_MODELS } from './documents.ts';

const FACETS = ['place', 'topic', 'facility'] as const satisfies Facet[];
/** Titles of items with one key. */
const MAX_TITLES = 8;
/** Characters of a title. */
const MAX_LABEL = 120;

/** Returns the names of an archive by all their keys, sorted by key. A title has only one key, since there are many. */
export function listNames(
  { objects, articles }: Pick<Entries, 'objects' | 'articles'>,
  relations: Pick<Relations, 'people' | 'terms'>,
  own: Pick<OwnContent, 'pages'>,
): KeyedName[] {
  const names = [
    ...relations.people().flatMap(ofPerson),
    ...FACETS.flatMap((facet) =>
      relations.terms(facet).flatMap(({ slug, label, count }) => {
        const name: Name = { kind: facet, label: stepsOfTerm(label), path: facetValuePath(facet, slug), count };
        return count > 0 ? withKeys(name, keysOf(label)) : [];
      }),
    ),
    ...articles.flatMap(({ title, slug }) => ofTitle('article', title, articlePath(slug))),
    ...own.pages.flatMap((page) =>
      [...new Set(page.versions.map(({ title }) => title))].flatMap((title) =>
        ofTitle(OWN_MODELS[page.kind], title, ownPath(page.kind, page.slug)),
      ),
    ),
    ...ofRecords('collection', objects.allListed('collection')),
    ...ofRecords('item', objects.allListed('entity')),
  ];
  names.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.path < b.path ? -1 : 1));
  return [...withoutExcess(names)];
}

/** Yields names in their order, but only the first titles of each key: thousands of records may have one title. */
function* withoutExcess(names: readonly KeyedName[]): Generator<KeyedName> {
  let [key, titles] = ['', 0];
  for (const name of names) {
    if (name.key !== key) [key, titles] = [name.key, 0];
    if (name.kind === 'item' && ++titles > MAX_TITLES) continue;
    yield name;
  }
}

/** A person is found in the order in which the name is spoken, and in that in which it is filed. */
function ofPerson({ slug, label, ids, sharesName, created, mentioned }: PersonEntry): KeyedName[] {
  const id = ids?.oh ?? ids?.nr;
  const shown = sharesName && id !== undefined ? `${label} (${id})` : label;
  const name: Name = { kind: 'person', label: shown, path: personPath(slug), count: created + mentioned };
  return withKeys(name, [...keysOf(shown), ...keysOf(filedName(label).shown, 1)]);
}

/** The titles of records. One that was unavailable, and that other records name only by its ID, has none. */
function ofRecords(kind: 'collection' | 'item', records: Iterable<ListedEntry>): Iterable<KeyedName> {
  return Iterator.from(records)
    .filter((entry) => !isUntitled(entry))
    .flatMap(({ id, title }) => ofTitle(kind, title, objectPath(id)));
}

function ofTitle(kind: 'article' | 'collection' | 'item' | 'page' | 'exhibit', title: string, path: string): KeyedName[] {
  const keys = kind === 'item' ? keysOf(title, 1) : keysOf(title);
  return withKeys({ kind, label: title.slice(0, MAX_LABEL), path, count: 0 }, keys);
}

function withKeys(name: Name, keys: readonly string[]): KeyedName[] {
  const label = name.label.replace(/\s+/g, ' ');
  return [...new Set(keys)].map((key) => ({ ...name, label, key }));
}
