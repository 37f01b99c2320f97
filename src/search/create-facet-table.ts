/** Creates the facet table of a search index from its documents. */
import { type Column, FACETS, type FacetTable, type SearchFacet } from '../client/facet-table.ts';
import type { SearchDocument } from './documents.ts';

/** The part of a search document that the table needs. */
export type FacetRow = Pick<SearchDocument, 'url' | 'filters' | 'sort'>;

/** Returns the facet table of a search index. `ids` are Pagefind's names of the documents, by their paths. */
export function createFacetTable(ids: ReadonlyMap<string, string>, documents: FacetRow[]): FacetTable {
  // Pagefind does not store documents without words, because no query could find them.
  const rows = documents.filter(({ url }) => ids.has(url));
  const years = rows.map(({ filters }) => (filters['year'] ?? []).map(Number));
  return {
    ids: rows.flatMap(({ url }) => ids.get(url) ?? []),
    facets: Object.fromEntries(
      FACETS.map((facet) => [facet, createColumn(rows.map(({ filters }) => filters[facet] ?? []))]),
    ) as Record<SearchFacet, Column>,
    from: Uint16Array.from(years, (values) => (values.length > 0 ? Math.min(...values) : 0)),
    to: Uint16Array.from(years, (values) => (values.length > 0 ? Math.max(...values) : 0)),
    title: rankKeys(rows.map(({ sort }) => sort['title'] ?? '')),
    date: rankKeys(rows.map(({ sort }) => sort['date'] ?? '')),
  };
}

function createColumn(rows: string[][]): Column {
  const values = [...new Set(rows.flat())].sort();
  const positions = new Map(values.map((value, i) => [value, i]));
  const offsets = new Uint32Array(rows.length + 1);
  for (const [i, row] of rows.entries()) offsets[i + 1] = (offsets[i] ?? 0) + row.length;
  return { values, offsets, codes: Uint32Array.from(rows.flat(), (value) => positions.get(value) ?? 0) };
}

/** Returns the position of each key in the sorted order. Equal keys keep the order of the documents. */
function rankKeys(keys: string[]): Uint32Array {
  const ranks = new Uint32Array(keys.length);
  const order = keys.map((key, i) => ({ key, i })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.i - b.i));
  for (const [rank, { i }] of order.entries()) ranks[i] = rank;
  return ranks;
}
