/** Projects of other generators for generated records: the templates in `peers`, and the same data for each. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './records.ts';

/** A field of a record: its label, and the kind of its lists if it has any. */
const FIELDS: Record<string, readonly [label: string, kind?: string]> = {
  creation: ['Date'],
  creators: ['Creator', 'creator'],
  persons: ['Person mentioned', 'person'],
  topics: ['Topic', 'topic'],
  geography: ['About', 'place'],
  location: ['Made at'],
  facility: ['Facility', 'facility'],
  chronology: ['Period'],
  genre: ['Genre', 'genre'],
  format: ['Format', 'format'],
  language: ['Language', 'language'],
  extent: ['Extent'],
  contributor: ['Contributor'],
  rights: ['Rights', 'rights'],
  rights_statement: ['Rights statement'],
  credit: ['Credit line'],
  alternate_id: ['Alternate ID'],
  digitize_person: ['Digitized by'],
  digitize_organization: ['Digitizing organization'],
  digitize_date: ['Digitized on'],
  record_created: ['Record created'],
  record_lastmod: ['Record last modified'],
  collection: ['Collection', 'collection'],
  decade: ['Decade', 'decade'],
};
/** Entries of a list on one page. */
const PER_PAGE = 60;

interface Link {
  path: string;
  title: string;
  note?: string | number | undefined;
}

/** A page of links. */
interface List {
  path: string;
  title: string;
  entries: Link[];
  previous: string | undefined;
  next: string | undefined;
}

type Item = ReturnType<typeof itemOf>;

/** Returns the texts of a value of a record. */
const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .map((one) => (typeof one === 'object' && one !== null ? ((one as Json)['term'] ?? (one as Json)['namepart']) : one))
    .filter((one) => one !== undefined && one !== null && one !== '')
    .map(String);

/** Returns what templates show of a record. `titles` has those of all records. */
function itemOf(record: Json, titles: ReadonlyMap<unknown, string>) {
  const [id, date] = [String(record['id']), String(record['creation'] ?? '')];
  const trail = (record['breadcrumbs'] as Json[]).slice(0, -1).map(({ id }) => ({ id, title: titles.get(id) ?? '' }));
  const decade = /\d{3}(?=\d)/.exec(date)?.[0];
  const values: Json = { ...record, collection: trail[0]?.title, decade: decade && `${decade}0s` };
  const fields = Object.entries(FIELDS)
    .map(([field, [label, kind]]) => ({ field, label, kind, values: textsOf(values[field]) }))
    .filter((field) => field.values.length > 0);
  const terms = Object.fromEntries(fields.flatMap(({ kind, values }) => (kind ? [[kind, values]] : [])));
  const [title, description] = [String(record['title']), String(record['description'])];
  return { id, title, description, date, trail, fields, terms, record };
}

/** Writes the projects in `directory`, each in a directory with the name of its generator. */
export function writePeerProjects(records: readonly Json[], directory: string): void {
  const titles = new Map(records.map(({ id, title }) => [id, String(title)]));
  const items = records.map((record) => itemOf(record, titles));
  const copy = (from: string, to: string) =>
    cpSync(join(import.meta.dirname, 'peers', from), join(directory, to), { recursive: true });
  copy('hugo', 'hugo');
  writeHugoPages(items, join(directory, 'hugo/content/objects'));
  const { lists, paths } = listsOf(items);
  const neighbor = (n: number) => items[n] && { id: items[n].id, title: items[n].title };
  const data = items.map((item, n) => {
    const fields = item.fields.map(({ kind, values, ...field }) => ({
      ...field,
      values: values.map((text) => ({ text, path: paths.get(`${kind} ${text}`) })),
    }));
    return { ...item, fields, previous: neighbor(n - 1), next: neighbor(n + 1) };
  });
  for (const generator of ['jekyll', 'eleventy']) {
    copy('liquid', generator);
    copy(generator, generator);
    const to = join(directory, generator, '_data');
    mkdirSync(to);
    writeFileSync(join(to, 'items.json'), JSON.stringify(data));
    writeFileSync(join(to, 'lists.json'), JSON.stringify(lists));
  }
}

/** Writes a content file for each record, with its terms and fields in the front matter: Hugo makes the lists of these. */
function writeHugoPages(items: readonly Item[], directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const [n, { terms, record, ...item }] of items.entries()) {
    const matter = { title: item.title, weight: n + 1, ...terms, item, record };
    writeFileSync(join(directory, `${item.id}.html`), `${JSON.stringify(matter)}\n${item.description}\n`);
  }
}

/** Returns the pages of all lists, and the path of the first page of each term, by its kind and itself. */
function listsOf(items: readonly Item[]): { lists: List[]; paths: ReadonlyMap<string, string> } {
  const linkTo = ({ id, title, date }: Item): Link => ({ path: `objects/${id}.html`, title, note: date });
  const lists = pagesOf('index', 'All records', items.map(linkTo));
  const paths = new Map<string, string>();
  for (const kind of Object.values(FIELDS).flatMap(([, kind]) => kind ?? [])) {
    const byTerm = Map.groupBy(
      items.flatMap((item) => (item.terms[kind] ?? []).map((term) => ({ term, item }))),
      ({ term }) => term,
    );
    const terms = [...byTerm].map(([title, found], n) => {
      const [first, ...rest] = pagesOf(
        `browse/${kind}/${n + 1}`,
        title,
        found.map(({ item }) => linkTo(item)),
      );
      const { path } = first as List;
      lists.push(first as List, ...rest);
      paths.set(`${kind} ${title}`, path);
      return { path, title, note: found.length };
    });
    lists.push({ path: `browse/${kind}.html`, title: kind, entries: terms, previous: undefined, next: undefined });
  }
  return { lists, paths };
}

/** Returns the pages of one list. */
function pagesOf(name: string, title: string, entries: readonly Link[]): List[] {
  const count = Math.ceil(entries.length / PER_PAGE);
  const pathOf = (page: number) => (page < 0 || page >= count ? undefined : `${name}${page ? `-${page + 1}` : ''}.html`);
  return Array.from({ length: count }, (_, page) => ({
    path: pathOf(page) as string,
    title,
    entries: entries.slice(page * PER_PAGE, (page + 1) * PER_PAGE),
    previous: pathOf(page - 1),
    next: pathOf(page + 1),
  }));
}
