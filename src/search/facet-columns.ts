/** Creates the columns of the facet table from all documents. */
import {
  type Column,
  encodeColumn,
  encodeParents,
  encodeRanks,
  encodeYears,
  type FacetPack,
  type FiledValue,
  type Piece,
} from '../formats/search/facet-table.ts';
import { NAME_FACETS, SEARCH_FACETS, type SearchFacet } from '../model/facets.ts';
import { parseNameWithId } from '../model/name-with-id.ts';
import { filedName } from '../model/names/filing.ts';
import type { FacetRow } from './part-file.ts';

/** Returns the facet table's packs: pieces by pack name. `rows` are all current documents. */
export function createFacetPacks(rows: Iterable<FacetRow>): Map<FacetPack, Piece[]> {
  const years: Array<[first: number, last: number]> = [];
  const sorts: Record<'title' | 'date', string[]> = { title: [], date: [] };
  const columns = SEARCH_FACETS.map(() => createColumnBuilder());
  const records = new Map<string, number>();
  /** Files and segments, with the page of the record that they are part of. */
  const parts: Array<[part: number, page: string]> = [];
  for (const { filters, sort } of rows) {
    const document = years.length;
    const page = filters['page']?.[0];
    if (page !== undefined && filters['model']?.[0] === 'file') parts.push([document, page]);
    else if (page !== undefined) records.set(page, document);
    const interview = filters['interview']?.[0];
    if (interview !== undefined) parts.push([document, interview]);
    years.push(spanOf(filters['year'] ?? []));
    sorts.title.push(sort['title'] ?? '');
    sorts.date.push(sort['date'] ?? '');
    for (const [f, facet] of SEARCH_FACETS.entries()) columns[f]?.add(filters[facet] ?? []);
  }
  const from = Uint32Array.from(years, ([first]) => first);
  const to = Uint32Array.from(years, ([, last]) => last);
  const parents = new Map(parts.flatMap(([part, page]) => (records.has(page) ? [[part, records.get(page) as number]] : [])));
  return new Map<FacetPack, Piece[]>([
    ['parents', encodeParents(parents, years.length)],
    ...SEARCH_FACETS.map((facet, f) => [facet, encodeColumn(withFiling(facet, columns[f]?.finish() as Column))] as const),
    ['years', encodeYears({ from, to })],
    ['title', encodeRanks(rankKeys(sorts.title))],
    ['date', encodeRanks(rankKeys(sorts.date))],
  ]);
}

/** Adds to a column of names how lists file each of them. */
function withFiling(facet: SearchFacet, column: Column): Column {
  if (!NAME_FACETS.includes(facet)) return column;
  const fileName = (value: string): FiledValue => {
    const { name } = parseNameWithId(value);
    const { shown, sort } = filedName(name);
    return [shown || name, sort || shown || name];
  };
  return { ...column, filed: new Map(column.values.map((value) => [value, fileName(value)])) };
}

/** Returns the first and the last year; 0 if there is none. */
function spanOf(years: readonly string[]): [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const year of years) [first, last] = [Math.min(first, Number(year)), Math.max(last, Number(year))];
  return years.length === 0 ? [0, 0] : [first, last];
}

/** Collects the values of one facet. */
function createColumnBuilder(): { add(values: readonly string[]): void; finish(): Column } {
  const positions = new Map<string, number>();
  const codes: number[] = [];
  const offsets = [0];
  return {
    add(values) {
      for (const value of values) {
        const position = positions.get(value) ?? positions.size;
        positions.set(value, position);
        codes.push(position);
      }
      offsets.push(codes.length);
    },
    finish() {
      const values = [...positions.keys()].sort();
      const sorted = new Uint32Array(values.length);
      for (const [code, value] of values.entries()) sorted[positions.get(value) ?? 0] = code;
      return { values, offsets: Uint32Array.from(offsets), codes: Uint32Array.from(codes, (code) => sorted[code] ?? 0) };
    },
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
