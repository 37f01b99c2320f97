/** Filters, counts and sorts search documents by the columns of the facet table. */
import { type Column, FACETS, type SearchFacet, type Years } from './facet-table.ts';

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

/** Returns the documents that match, in their order. */
export function matchDocuments(
  { columns, years }: FilterColumns,
  documents: Iterable<number>,
  { chosen, from, to }: FacetFilter,
): number[] {
  const conditions = conditionsOf(columns, chosen);
  return Array.from(documents).filter(
    (document) =>
      overlapsYears(years, document, from, to) && conditions.every(({ column, codes }) => hasAnyCode(column, document, codes)),
  );
}

/**
 * Returns the number of documents that each value of `facets` would give with the choices in all other facets unchanged. `columns` has those of
 * `facets`, and of the facets in `chosen`.
 */
export function countDocuments(
  { columns, years }: FilterColumns,
  documents: Iterable<number>,
  { chosen, from, to }: FacetFilter,
  facets: readonly SearchFacet[],
): Counts {
  const conditions = conditionsOf(columns, chosen);
  const counted = facets.map((facet) => {
    const column = columns.get(facet) ?? EMPTY;
    return { facet, column, numbers: new Uint32Array(column.values.length) };
  });
  for (const document of documents) {
    if (!overlapsYears(years, document, from, to)) continue;
    let misses = 0;
    let excludedBy: SearchFacet | undefined;
    for (const { facet, column, codes } of conditions) {
      if (hasAnyCode(column, document, codes)) continue;
      misses++;
      excludedBy = facet;
      if (misses === 2) break;
    }
    // A document that only one facet excludes would match with another choice in that facet, so it counts there.
    if (misses < 2)
      for (const { facet, column, numbers } of counted)
        if (misses === 0 || facet === excludedBy) countCodes(column, document, numbers);
  }
  return Object.fromEntries(counted.map(({ facet, column, numbers }) => [facet, countsByValue(column, numbers)]));
}

/** Returns the first and last years of the documents that match, regardless of the years chosen; without those that have none. */
export function yearsOfDocuments(
  { columns, years }: FilterColumns,
  documents: Iterable<number>,
  { chosen }: Pick<FacetFilter, 'chosen'>,
): Array<readonly [first: number, last: number]> {
  const matching = matchDocuments({ columns, years }, documents, { chosen, from: undefined, to: undefined });
  return matching.flatMap((document): Array<readonly [number, number]> => {
    const first = years?.from[document] ?? 0;
    return first > 0 ? [[first, years?.to[document] ?? first]] : [];
  });
}

/** A facet with choices, of which a document must have one. */
interface Condition {
  facet: SearchFacet;
  column: Column;
  codes: ReadonlySet<number>;
}

function conditionsOf(columns: Columns, chosen: FacetFilter['chosen']): Condition[] {
  return FACETS.flatMap((facet) => {
    const [column, values] = [columns.get(facet), chosen[facet] ?? []];
    return column && values.length > 0 ? [{ facet, column, codes: codesOfValues(column, values) }] : [];
  });
}

const EMPTY: Column = { values: [], offsets: new Uint32Array(1), codes: new Uint32Array() };

/** Returns the documents sorted by their ranks. */
export function sortDocuments(ranks: Uint32Array, documents: readonly number[]): number[] {
  return [...documents].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
}

function codesOfValues({ values }: Column, chosen: readonly string[]): ReadonlySet<number> {
  return new Set(chosen.map((value) => values.indexOf(value)));
}

function hasAnyCode({ offsets, codes }: Column, document: number, chosenCodes: ReadonlySet<number>): boolean {
  for (let i = offsets[document] ?? 0; i < (offsets[document + 1] ?? 0); i++) if (chosenCodes.has(codes[i] ?? -1)) return true;
  return false;
}

function countCodes({ offsets, codes }: Column, document: number, into: Uint32Array): void {
  for (let i = offsets[document] ?? 0; i < (offsets[document + 1] ?? 0); i++) {
    const code = codes[i] ?? 0;
    into[code] = (into[code] ?? 0) + 1;
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
