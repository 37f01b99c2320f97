/** Projects of other generators for generated records: the templates in `peers`, and the same data for each. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './records.ts';

/** Kinds of lists, by the fields whose values have them. */
const KINDS: Record<string, string> = {
  ...{ creators: 'creator', persons: 'person', topics: 'topic', geography: 'place', collection_id: 'collection' },
  ...{ facility: 'facility', genre: 'genre', format: 'format', language: 'language', rights: 'rights', decade: 'decade' },
};

type Item = ReturnType<typeof itemOf>;

/** Returns what templates show of a record. `titles` has those of all records. */
function itemOf(record: Json, titles: ReadonlyMap<unknown, string>) {
  const date = String(record['creation'] ?? '');
  const values: Json = { ...record, decade: /\d{3}(?=\d)/.exec(date)?.map((start) => `${start}0s`) };
  const names = new Set([...textsOf(record['_fields']), 'collection_id', 'decade']).difference(new Set(['title', 'description']));
  const fields = [...names].map((name) => ({ name, kind: KINDS[name], values: textsOf(values[name]) }));
  return {
    ...{ id: String(record['id']), title: String(record['title']), description: String(record['description']), date },
    trail: (record['breadcrumbs'] as Json[]).slice(0, -1).map(({ id }) => ({ id, title: titles.get(id) })),
    fields: fields.filter((field) => field.values.length > 0),
    terms: Object.fromEntries(fields.flatMap(({ kind, values }) => (kind ? [[kind, values]] : []))),
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
  const linkTo = (text: string, kind: string | undefined) => ({ text, path: kind && pathOf(kind, text) });
  const neighbors = items.map(({ id, title }) => ({ id, title }));
  const data = items.map((item, n) => {
    const fields = item.fields.map((field) => ({ ...field, values: field.values.map((text) => linkTo(text, field.kind)) }));
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

const pathOf = (kind: string, text: string) => `browse/${kind}/${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.html`;

/** Returns the pages of links: of all records, of the terms of each kind, and of the records of each term. */
function listsOf(items: readonly Item[]) {
  const linkTo = ({ id, title, date }: Item) => ({ path: `objects/${id}.html`, title, note: date });
  const found = items.flatMap((item) =>
    Object.entries(item.terms).flatMap(([kind, terms]) => terms.map((title) => ({ kind, title, entry: linkTo(item) }))),
  );
  const lists = [...Map.groupBy(found, ({ kind, title }) => pathOf(kind, title))].map(([path, all]) => ({
    ...{ path, kind: all[0]?.kind, title: all[0]?.title },
    entries: all.map(({ entry }) => entry),
  }));
  const kinds = [...Map.groupBy(lists, ({ kind }) => kind)].map(([kind, terms]) => ({
    ...{ path: `browse/${kind}.html`, title: kind },
    entries: terms.map(({ path, title, entries }) => ({ path, title, note: entries.length })),
  }));
  return [{ path: 'index.html', title: 'All records', entries: items.map(linkTo) }, ...kinds, ...lists];
}
