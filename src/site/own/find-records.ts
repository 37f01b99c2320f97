/** Finds the records that a directive names, or that a query finds. */
import type { Entries } from '../../catalogue/catalogue.ts';
import type { ListedEntry } from '../../catalogue/entries.ts';
import type { Facet } from '../../catalogue/facets.ts';
import { comparableText } from '../../client/names.ts';
import { sortById } from '../../model/ids.ts';
import { facetLabel } from '../facet-label.ts';
import { createLocales } from '../language/locale.ts';
import type { Site } from '../site.ts';
import type { RecordQuery } from './directives.ts';

/** What records are found in. */
export type FindContext = { site: Site; entries: Pick<Entries, 'objects'> };

/** What is wrong with a directive: a clause. */
export type Found<T> = T | { problem: string };

/** Returns the record with an ID. A record that the site does not show is not there. */
export function findRecord(id: string, { site }: FindContext): Found<{ entry: ListedEntry }> {
  const entry = site.relations.object(id);
  return entry ? { entry } : { problem: `the record "${id}" is not in this site` };
}

/** Returns a collection by its ID. */
export function findCollection(id: string, context: FindContext): Found<{ entry: ListedEntry }> {
  const found = findRecord(id, context);
  if ('problem' in found || found.entry.model === 'collection') return found;
  return { problem: `"${id}" is not a collection` };
}

/** Returns the records that a query finds, sorted by ID: items, or if there is none, what else has the facet values. */
export function findRecords(query: RecordQuery, context: FindContext): Found<{ entries: ListedEntry[] }> {
  const { site, entries } = context;
  const collection = query.collection === undefined ? undefined : findCollection(query.collection, context);
  if (collection && 'problem' in collection) return collection;
  const lists: ListedEntry[][] = [];
  for (const [facet, value] of query.facets) {
    const slug = findSlug(facet, value, site);
    if (typeof slug !== 'string') return slug;
    lists.push([...site.relations.recordsWith(facet, slug)]);
  }
  const [first = [...entries.objects.allListed('entity')], ...others] = lists;
  const inAll = others.map((list) => new Set(list.map(({ id }) => id)));
  const words = comparableText(query.words ?? '')
    .split(' ')
    .filter(Boolean);
  const matches = ({ id, title, ancestors }: ListedEntry) => {
    const own = ` ${comparableText(title)} `;
    return (
      inAll.every((ids) => ids.has(id)) &&
      (query.collection === undefined || ancestors.includes(query.collection)) &&
      words.every((word) => own.includes(` ${word}`))
    );
  };
  const found = sortById(first.filter(matches));
  const items = found.filter(({ model }) => model === 'entity');
  const shown = items.length > 0 ? items : found.filter(({ model }) => model !== 'file');
  return shown.length > 0 ? { entries: shown.slice(0, query.limit) } : { problem: 'this query finds no records' };
}

/** Returns the slug of a facet value from its slug or its label, which may be in any language of the site: a text may be shown in another one. */
function findSlug(facet: Facet, value: string, { relations, locale, design }: Site): string | { problem: string } {
  const wanted = comparableText(value);
  const terms = relations.terms(facet);
  const isNamed = (label: string) => comparableText(label) === wanted;
  const findInLanguages = () => {
    const languages = locale.alternatives.map(({ language }) => language);
    const locales = createLocales(languages, design);
    return terms.find((one) => locales.some((each) => isNamed(facetLabel(each, facet, one))));
  };
  const term = terms.find(({ slug, label }) => slug === value || isNamed(label)) ?? findInLanguages();
  return term && term.count > 0 ? term.slug : { problem: `no record in this site has the ${facet} "${value}"` };
}

/** Yields the complete entries of the items and segments in a collection. */
export function* entriesIn(collection: string, { entries: { objects } }: FindContext) {
  for (const entry of objects) if (entry.ancestors.includes(collection)) yield entry;
}
