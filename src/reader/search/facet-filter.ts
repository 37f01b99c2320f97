/** Filters, counts and sorts search documents by the columns of the facet table. */
import type { Column, Years } from '../../formats/search/facet-table.ts';
import { SEARCH_FACETS, type SearchFacet } from '../../model/facets.ts';
import { foldFiles, type RecordOf } from './fold-files.ts';

/** Numbers of records by facet and value; values without records are left out. */
export type Counts = Record<string, Record<string, number>>;

/** The filters of a query. Of the values of one facet in `chosen`, at least one must match. Either year may be undefined. */
export interface FacetFilter {
  chosen: Readonly<Record<string, string[]>>;
  from: number | undefined;
  to: number | undefined;
}

/** Columns by facet. */
export type Columns = ReadonlyMap<SearchFacet, Column>;

/** What a filter needs of the facet table. */
export interface FilterColumns {
  /** Those of the facets in `chosen` at least. */
  columns: Columns;
  /** Undefined is enough without years in the filter. */
  years: Years | undefined;
}

/** Returns whether a document passes a filter. */
export function createFilter(
  { columns, years }: FilterColumns,
  { chosen, from, to }: FacetFilter,
): (document: number) => boolean {
  const conditions = conditionsOf(columns, chosen);
  return (document) =>
    overlapsYears(years, document, from, to) && conditions.every(({ column, codes }) => hasAnyCode(column, document, codes));
}

/** What excludes a document: a facet if only the choices in that one do, `nothing` if none do; undefined if several do. */
type Excluder = SearchFacet | 'nothing' | undefined;

/**
 * Returns the number of results that each value of `facets` would give with the choices in all other facets unchanged. `columns`
 * has those of `facets`, and of the facets in `chosen`. The documents are those that were found: a file counts if its record
 * would not be a result.
 */
export function countDocuments(
  { columns, years }: FilterColumns,
  documents: Iterable<number>,
  { chosen, from, to }: FacetFilter,
  facets: readonly SearchFacet[],
  { total, recordOf }: { total: number; recordOf: RecordOf },
): Counts {
  const conditions = conditionsOf(columns, chosen);
  const counted = facets.map((facet) => {
    const column = columns.get(facet) ?? EMPTY;
    return { facet, column, numbers: new Uint32Array(column.values.length) };
  });
  const excluderOf = (document: number): Excluder => {
    if (!overlapsYears(years, document, from, to)) return undefined;
    let only: Excluder = 'nothing';
    for (const { facet, column, codes } of conditions) {
      if (hasAnyCode(column, document, codes)) continue;
      if (only !== 'nothing') return undefined;
      only = facet;
    }
    return only;
  };
  // A document that only one facet excludes would match with another choice in that facet, so it counts there.
  const countIn = (excluder: Excluder, count: (each: (typeof counted)[number]) => void) => {
    if (excluder !== undefined) for (const each of counted) if (excluder === 'nothing' || excluder === each.facet) count(each);
  };
  const folded = foldFiles(documents, total, recordOf);
  for (const document of folded.documents)
    countIn(excluderOf(document), ({ column, numbers }) => countCodes(column, document, numbers));
  for (const [record, files] of folded.filesOf) {
    const ofRecord = excluderOf(record);
    for (const file of files)
      countIn(excluderOf(file), ({ facet, column, numbers }) => {
        const isResult = ofRecord === 'nothing' || ofRecord === facet;
        countCodes(column, file, numbers, (code) => isResult && hasAnyCode(column, record, new Set([code])));
      });
  }
  return Object.fromEntries(counted.map(({ facet, column, numbers }) => [facet, countsByValue(column, numbers)]));
}

/** Returns the first and last years of documents; without those that have none. */
export function yearsOfDocuments(
  { years }: Pick<FilterColumns, 'years'>,
  documents: Iterable<number>,
): Array<readonly [first: number, last: number]> {
  return Array.from(documents).flatMap((document): Array<readonly [number, number]> => {
    const first = years?.from[document] ?? 0;
    return first > 0 ? [[first, years?.to[document] ?? first]] : [];
  });
}

/** Returns the facets with choices, of which a document must have one. */
function conditionsOf(columns: Columns, chosen: FacetFilter['chosen']) {
  return SEARCH_FACETS.flatMap((facet) => {
    const [column, values] = [columns.get(facet), chosen[facet] ?? []];
    return column && values.length > 0
      ? [{ facet, column, codes: new Set(values.map((value) => column.values.indexOf(value))) }]
      : [];
  });
}

const EMPTY: Column = { values: [], offsets: new Uint32Array(1), codes: new Uint32Array() };

/** Returns the documents sorted by their ranks. */
export function sortDocuments(ranks: Uint32Array, documents: readonly number[]): number[] {
  return [...documents].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
}

function hasAnyCode({ offsets, codes }: Column, document: number, chosenCodes: ReadonlySet<number>): boolean {
  for (let i = offsets[document] ?? 0; i < (offsets[document + 1] ?? 0); i++) if (chosenCodes.has(codes[i] ?? -1)) return true;
  return false;
}

/** Counts the values of a document, except those that `isLeftOut` accepts. */
function countCodes(
  { offsets, codes }: Column,
  document: number,
  into: Uint32Array,
  isLeftOut: (code: number) => boolean = () => false,
): void {
  for (let i = offsets[document] ?? 0; i < (offsets[document + 1] ?? 0); i++) {
    const code = codes[i] ?? 0;
    if (!isLeftOut(code)) into[code] = (into[code] ?? 0) + 1;
  }
}

function countsByValue({ values }: Column, numbers: Uint32Array): Record<string, number> {
  return Object.fromEntries(values.flatMap((value, i) => (numbers[i] ? [[value, numbers[i]]] : [])));
}

function overlapsYears(years: Years | undefined, document: number, from: number | undefined, to: number | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  const begin = years?.from[document] ?? 0;
  return begin > 0 && (to === undefined || begin <= to) && (from === undefined || (years?.to[document] ?? 0) >= from);
}
