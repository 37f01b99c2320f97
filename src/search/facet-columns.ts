/** Creates the columns of the facet table from all documents. */
import * as table from '../formats/search/facet-table.ts';
import { NAME_FACETS, SEARCH_FACETS, type SearchFacet } from '../model/facets.ts';
import { parseNameWithId } from '../model/name-with-id.ts';
import { filedName } from '../model/names/filing.ts';
import type { FacetRow } from './part-file.ts';

/** Returns the facet table's packs: pieces by pack name. `rows` are all current documents. */
export function createFacetPacks(rows: Iterable<FacetRow>): Map<table.FacetPack, table.Piece[]> {
  const all = [...rows];
  const records = new Map<string, number>();
  /** Files and segments, with the page of the record that they are part of. */
  const parts: Array<[part: number, page: string]> = [];
  for (const [document, { filters }] of all.entries()) {
    const page = filters['page']?.[0];
    if (page !== undefined && filters['model']?.[0] === 'file') parts.push([document, page]);
    else if (page !== undefined) records.set(page, document);
    const interview = filters['interview']?.[0];
    if (interview !== undefined) parts.push([document, interview]);
  }
  const parents = new Map(parts.flatMap(([part, page]) => (records.has(page) ? [[part, records.get(page) as number]] : [])));
  const valuesOf = (facet: string) => all.map(({ filters }) => filters[facet] ?? []);
  const years = valuesOf('year').map((own) => own.map(Number));
  // Both are 0 if there is none.
  const from = Uint32Array.from(years, (own) => (own.length === 0 ? 0 : Math.min(...own)));
  const to = Uint32Array.from(years, (own) => Math.max(0, ...own));
  const ranks = (sorts: 'title' | 'date') => table.encodeRanks(rankKeys(all.map(({ sort }) => sort[sorts] ?? '')));
  return new Map<table.FacetPack, table.Piece[]>([
    ['parents', table.encodeParents(parents, all.length)],
    ...SEARCH_FACETS.map((facet) => [facet, table.encodeColumn(withFiling(facet, createColumn(valuesOf(facet))))] as const),
    ['years', table.encodeYears({ from, to })],
    ['title', ranks('title')],
    ['date', ranks('date')],
  ]);
}

/** Adds to a column of names how lists file each of them. */
function withFiling(facet: SearchFacet, column: table.Column): table.Column {
  if (!NAME_FACETS.includes(facet)) return column;
  const fileName = (value: string): table.FiledValue => {
    const { name } = parseNameWithId(value);
    const { shown, sort } = filedName(name);
    return [shown || name, sort || shown || name];
  };
  return { ...column, filed: new Map(column.values.map((value) => [value, fileName(value)])) };
}

/** Returns the column of a facet, from its values in each document. */
function createColumn(documents: ReadonlyArray<readonly string[]>): table.Column {
  const values = [...new Set(documents.flat())].sort();
  const codes = new Map(values.map((value, code) => [value, code]));
  let end = 0;
  return {
    values,
    offsets: Uint32Array.from([0, ...documents.map(({ length }) => (end += length))]),
    codes: Uint32Array.from(documents.flat(), (value) => codes.get(value) as number),
  };
}

/** Returns the position of each key in the sorted order. Equal keys keep the order of the documents. */
function rankKeys(keys: readonly string[]): Uint32Array {
  const ranks = new Uint32Array(keys.length);
  const order = Array.from(keys.keys()).sort((a, b) => {
    const [x, y] = [keys[a] ?? '', keys[b] ?? ''];
    return x < y ? -1 : x > y ? 1 : a - b;
  });
  for (const [rank, i] of order.entries()) ranks[i] = rank;
  return ranks;
}
