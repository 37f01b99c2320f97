/** Projects of other generators for generated records: the templates in `peers`, and the same data for each. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './records.ts';

/** Fields whose values have lists of records. */
const LISTED = 'creators persons topics geography facility genre format language rights collection_id decade'.split(' ');

type Item = ReturnType<typeof itemOf>;

/** Returns what templates show of a record. `titles` has those of all records. */
function itemOf(record: Json, titles: ReadonlyMap<unknown, string>) {
  const date = String(record['creation'] ?? '');
  const values: Json = { ...record, decade: /\d{3}(?=\d)/.exec(date)?.map((start) => `${start}0s`) };
  const names = new Set([...textsOf(record['_fields']), 'collection_id', 'decade']).difference(new Set(['title', 'description']));
  const fields = [...names].map((name) => ({ name, isListed: LISTED.includes(name), values: textsOf(values[name]) }));
  return {
    id: String(record['id']),
    title: String(record['title']),
    description: String(record['description']),
    date,
    trail: (record['breadcrumbs'] as Json[]).slice(0, -1).map(({ id }) => ({ id, title: titles.get(id) })),
    fields: fields.filter((field) => field.values.length > 0),
    terms: Object.fromEntries(LISTED.map((name) => [name, textsOf(values[name])])),
  };
}

/** Returns the texts of a value of a record. */
const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .map((one) => (one instanceof Object ? ((one as Json)['term'] ?? (one as Json)['namepart']) : one))
    .flatMap((one) => (one ? [String(one)] : []));

/** Writes the projects in `directory`, each in a directory with the name of its generator. */
export function writePeerProjects(records: readonly Json[], directory: string): void {
  const titles = new Map(records.map(({ id, title }) => [id, String(title)]));
  const items = records.map((record) => itemOf(record, titles));
  const copy = (from: string, to: string) =>
    cpSync(join(import.meta.dirname, 'peers', from), join(directory, to), { recursive: true });
  copy('hugo', 'hugo');
  // Hugo makes lists, and the links from one record to the next, of what is in the front matter of each content file.
  const content = join(directory, 'hugo/content/objects');
  mkdirSync(content, { recursive: true });
  for (const [n, { terms, ...item }] of items.entries()) {
    const matter = { title: item.title, weight: n + 1, ...terms, item, record: records[n] };
    writeFileSync(join(content, `${item.id}.html`), `${JSON.stringify(matter)}\n${item.description}\n`);
  }
  const neighbors = items.map(({ id, title }) => ({ id, title }));
  const data = items.map((item, n) => {
    const fields = item.fields.map(({ name, isListed, values }) => ({
      name,
      values: values.map((text) => ({ text, path: isListed ? pathOf(name, text) : undefined })),
    }));
    return { ...item, fields, record: records[n], previous: neighbors[n - 1], next: neighbors[n + 1] };
  });
  for (const generator of ['jekyll', 'eleventy']) {
    copy('liquid', generator);
    copy(generator, generator);
    mkdirSync(join(directory, generator, '_data'));
    writeFileSync(join(directory, generator, '_data/items.json'), JSON.stringify(data));
    writeFileSync(join(directory, generator, '_data/lists.json'), JSON.stringify(listsOf(items)));
  }
}

const pathOf = (field: string, text: string) => `browse/${field}/${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.html`;

/** Returns the pages of links: of all records, of the terms of each field, and of the records of each term. */
function listsOf(items: readonly Item[]) {
  const linkTo = ({ id, title, date }: Item) => ({ path: `objects/${id}.html`, title, note: date });
  const fields = LISTED.flatMap((field) => {
    const found = items.flatMap((item) => (item.terms[field] ?? []).map((term) => ({ term, link: linkTo(item) })));
    const terms = [...Map.groupBy(found, ({ term }) => term)].map(([title, links]) => ({
      path: pathOf(field, title),
      title,
      entries: links.map(({ link }) => link),
    }));
    const entries = terms.map((term) => ({ path: term.path, title: term.title, note: term.entries.length }));
    return [{ path: `browse/${field}.html`, title: field, entries }, ...terms];
  });
  return [{ path: 'index.html', title: 'All records', entries: items.map(linkTo) }, ...fields];
}
