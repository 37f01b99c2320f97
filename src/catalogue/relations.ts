/** Who stands next to whom: children, files, siblings and guide pages, from the slim entries alone. */
import { compareIds } from '../model/ids.ts';
import { LONGEST_ADDRESS } from '../model/limits.ts';
import { decode } from '../model/resources.ts';
import { fileName } from '../platform/portable.ts';
import type { Catalogue } from './catalogue.ts';
import type { ArticleEntry, AuthorEntry, ObjectEntry } from './entries.ts';
import { FACETS, type Facet } from './facets.ts';

export interface Term {
  facet: Facet;
  slug: string;
  label: string;
  /** Objects with this value, in the order of ids. */
  objects: ObjectEntry[];
}

export interface Relations {
  object(id: string): ObjectEntry | undefined;
  /** The object whose page has a file name. */
  objectAt(fileName: string | undefined): ObjectEntry | undefined;
  /** Entities and segments below an object (collections below an organization), by `sort`, then by id. */
  children(id: string): ObjectEntry[];
  files(id: string): ObjectEntry[];
  /** The neighbours of an object among its siblings of the same kind. */
  neighbours(entry: ObjectEntry): { previous: ObjectEntry | undefined; next: ObjectEntry | undefined };
  article(slug: string): ArticleEntry | undefined;
  /** The guide page whose address in the living guide this is, whatever its scheme, slash or query. */
  articleAt(href: string): ArticleEntry | undefined;
  author(slug: string): AuthorEntry | undefined;
  /** Other objects that share topics, a facility or creators with one: those that share the most, and the rarest, first. */
  related(entry: ObjectEntry): ObjectEntry[];
  /** The interviews with someone who speaks in an object, itself and what it belongs to left out. */
  otherInterviews(entry: ObjectEntry): ObjectEntry[];
  /** Guide pages that lead to an object. */
  articlesOn(id: string): ArticleEntry[];
  /** The values of a facet, in the order of their labels. */
  terms(facet: Facet): Term[];
  term(facet: Facet, slug: string): Term | undefined;
}

const collator = new Intl.Collator('en', { numeric: true });

export function createRelations({ objects, authors, articles }: Pick<Catalogue, 'objects' | 'authors' | 'articles'>): Relations {
  const ordered = [...objects].sort((a, b) => compareIds(a.id, b.id));
  /** Places in the order of ids: numbers compare faster than ids. */
  const rank = new Map(ordered.map((entry, i) => [entry, i]));
  const byId = new Map(objects.map((entry) => [entry.id, entry]));
  const byFile = new Map(objects.map((entry) => [fileName(entry.id), entry]));
  const below = new Map<string, { children: ObjectEntry[]; files: ObjectEntry[] }>();
  const position = new Map<string, number>();
  for (const entry of [...ordered].sort((a, b) => a.sort - b.sort)) {
    if (entry.parent === undefined) continue;
    const group = below.get(entry.parent) ?? { children: [], files: [] };
    below.set(entry.parent, group);
    const siblings = entry.model === 'file' ? group.files : group.children;
    position.set(entry.id, siblings.push(entry) - 1);
  }
  const articleBySlug = new Map(articles.map((article) => [article.slug, article]));
  const articleByAddress = new Map(
    articles.flatMap((article) => (article.address ? [[addressKey(article.address), article] as const] : [])),
  );
  const authorBySlug = new Map(authors.map((author) => [author.slug, author]));
  const naming = Map.groupBy(
    articles.flatMap((article) => article.objects.map((id) => ({ id, article }))),
    ({ id }) => id,
  );
  const interviews = Map.groupBy(
    ordered
      .filter(({ model }) => model === 'entity')
      .flatMap((entry) => entry.narrators.map((narrator) => ({ narrator, entry }))),
    ({ narrator }) => narrator,
  );
  const facets = new Map(FACETS.map((facet) => [facet, collect(ordered, facet)]));

  const children = (id: string) => below.get(id)?.children ?? [];
  const files = (id: string) => below.get(id)?.files ?? [];
  return {
    object: (id) => byId.get(id),
    objectAt: (name) => byFile.get(name ?? ''),
    children,
    files,
    neighbours(entry) {
      const at = position.get(entry.id);
      if (entry.parent === undefined || at === undefined) return { previous: undefined, next: undefined };
      const siblings = entry.model === 'file' ? files(entry.parent) : children(entry.parent);
      return { previous: siblings[at - 1], next: siblings[at + 1] };
    },
    related({ id }) {
      const entry = byId.get(id);
      if (!entry) return [];
      const scores = new Map<ObjectEntry, number>();
      for (const facet of SHARED) {
        for (const { slug } of entry.facets[facet] ?? []) {
          const objects = facets.get(facet)?.get(slug)?.objects ?? [];
          const weight = 1 / Math.log2(2 + objects.length);
          for (const other of around(objects, entry, rank)) scores.set(other, (scores.get(other) ?? 0) + weight);
        }
      }
      const family = new Set([entry.id, entry.parent, ...entry.ancestors]);
      return [...scores]
        .filter(([other]) => !family.has(other.id) && other.parent !== entry.id && other.model === entry.model)
        .sort(([a, x], [b, y]) => y - x || (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
        .slice(0, MOST_RELATED)
        .map(([other]) => other);
    },
    otherInterviews({ id, narrators, ancestors }) {
      const all = new Set(narrators.flatMap((narrator) => interviews.get(narrator) ?? []).map(({ entry }) => entry));
      return [...all].filter((other) => other.id !== id && !ancestors.includes(other.id));
    },
    article: (slug) => articleBySlug.get(slug),
    articleAt: (href) => articleByAddress.get(addressKey(href)),
    author: (slug) => authorBySlug.get(slug),
    articlesOn: (id) => naming.get(id)?.map(({ article }) => article) ?? [],
    terms: (facet) => [...(facets.get(facet)?.values() ?? [])],
    term: (facet, slug) => facets.get(facet)?.get(slug),
  };
}

/** The facets by which objects are related. */
const SHARED: readonly Facet[] = ['topic', 'facility', 'creator'];
const MOST_RELATED = 6;
/** Of a value that very many objects have, the nearest ones by id are looked at. */
const NEAREST = 50;

/** The objects next to one in a list that is in the order of ids, itself left out. */
function around(objects: ObjectEntry[], entry: ObjectEntry, rank: ReadonlyMap<ObjectEntry, number>): ObjectEntry[] {
  if (objects.length <= 2 * NEAREST) return objects;
  const own = rank.get(entry) ?? 0;
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rank.get(objects[middle] as ObjectEntry) ?? 0) < own) low = middle + 1;
    else high = middle;
  }
  return objects.slice(Math.max(0, low - NEAREST), low + NEAREST);
}

function addressKey(href: string): string {
  if (href.length > LONGEST_ADDRESS || !URL.canParse(href)) return href;
  const { host, pathname } = new URL(href);
  return `${host}${decode(pathname.replace(/\/+$/, ''))}`;
}

/** The values of a facet by slug, in the order of their labels; their objects keep the order of `objects`. */
function collect(objects: ObjectEntry[], facet: Facet): Map<string, Term> {
  const terms = new Map<string, Term>();
  for (const entry of objects) {
    for (const { slug, label } of entry.facets[facet] ?? []) {
      const term = terms.get(slug) ?? { facet, slug, label, objects: [] };
      terms.set(slug, term);
      term.objects.push(entry);
    }
  }
  const sorted = [...terms.values()].sort((a, b) => collator.compare(a.label, b.label) || (a.slug < b.slug ? -1 : 1));
  return new Map(sorted.map((term) => [term.slug, term]));
}
