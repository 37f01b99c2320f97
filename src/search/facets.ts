/** Makes the facet table of an index from the documents that it was given. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Column, FACETS, type FacetTable, type SearchFacet } from '../client/facet-table.ts';
import { filesBelow } from '../snapshot/files.ts';
import type { SearchDocument } from './documents.ts';

/** What of a document the table needs. */
export type FacetRow = Pick<SearchDocument, 'url' | 'filters' | 'sort'>;

const SIGNATURE = 'pagefind_dcd';

/** The table of the index in the folder `index`. */
export function facetTableOf(index: string, documents: FacetRow[]): FacetTable {
  const ids = idsByUrl(index);
  // Pagefind keeps no document without a single word: no search could find it.
  const rows = documents.filter(({ url }) => ids.has(url));
  const years = rows.map(({ filters }) => (filters['year'] ?? []).map(Number));
  return {
    ids: rows.flatMap(({ url }) => ids.get(url) ?? []),
    facets: Object.fromEntries(
      FACETS.map((facet) => [facet, columnOf(rows.map(({ filters }) => filters[facet] ?? []))]),
    ) as Record<SearchFacet, Column>,
    from: Uint16Array.from(years, (own) => (own.length > 0 ? Math.min(...own) : 0)),
    to: Uint16Array.from(years, (own) => (own.length > 0 ? Math.max(...own) : 0)),
    title: ranksOf(rows.map(({ sort }) => sort['title'] ?? '')),
    date: ranksOf(rows.map(({ sort }) => sort['date'] ?? '')),
  };
}

/** The names that Pagefind gave to its fragments, by the document's address. */
function idsByUrl(index: string): Map<string, string> {
  return new Map(
    filesBelow(join(index, 'fragment')).map(([name, file]) => {
      const text = gunzipSync(readFileSync(file)).toString();
      const { url } = JSON.parse(text.slice(SIGNATURE.length)) as { url: string };
      return [url, name.replace(/\.pf_fragment$/, '')];
    }),
  );
}

function columnOf(own: string[][]): Column {
  const values = [...new Set(own.flat())].sort();
  const places = new Map(values.map((value, i) => [value, i]));
  const offsets = new Uint32Array(own.length + 1);
  for (const [i, some] of own.entries()) offsets[i + 1] = (offsets[i] ?? 0) + some.length;
  return { values, offsets, codes: Uint32Array.from(own.flat(), (value) => places.get(value) ?? 0) };
}

/** The place of each key in the order of keys; equal keys keep the order of the documents. */
function ranksOf(keys: string[]): Uint32Array {
  const ranks = new Uint32Array(keys.length);
  const order = keys.map((key, i) => ({ key, i })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.i - b.i));
  for (const [rank, { i }] of order.entries()) ranks[i] = rank;
  return ranks;
}
