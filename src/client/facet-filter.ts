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
  const conditions = FACETS.flatMap((facet) => {
    const [column, values] = [columns.get(facet), chosen[facet] ?? []];
    return column && values.length > 0 ? [{ column, codes: codesOfValues(column, values) }] : [];
  });
  return Array.from(documents).filter(
    (document) =>
      overlapsYears(years, document, from, to) && conditions.every(({ column, codes }) => hasAnyCode(column, document, codes)),
  );
}

/**
 * Returns the number of documents that each facet value would give with the choices in all other facets unchanged. `columns` has those of all
 * facets.
 */
export function countDocuments(
  { columns, years }: FilterColumns,
  documents: Iterable<number>,
  { chosen, from, to }: FacetFilter,
): Counts {
  const all = FACETS.map((facet) => columns.get(facet) ?? EMPTY);
  const chosenCodes = FACETS.map((facet, f) => codesOfValues(all[f] as Column, chosen[facet] ?? []));
  const countsByColumn = all.map(({ values }) => new Uint32Array(values.length));
  for (const document of documents) {
    if (!overlapsYears(years, document, from, to)) continue;
    let misses = 0;
    let excludedBy = -1;
    for (let f = 0; f < FACETS.length && misses < 2; f++) {
      if (hasAnyCode(all[f] as Column, document, chosenCodes[f])) continue;
      misses++;
      excludedBy = f;
    }
    // A document that only one facet excludes would match with another choice in that facet, so it counts there.
    if (misses < 2)
      for (let f = 0; f < FACETS.length; f++)
        if (misses === 0 || f === excludedBy) countCodes(all[f] as Column, document, countsByColumn[f]);
  }
  return Object.fromEntries(FACETS.map((facet, f) => [facet, countsByValue(all[f] as Column, countsByColumn[f])]));
}

const EMPTY: Column = { values: [], offsets: new Uint32Array(1), codes: new Uint32Array() };

/** Returns the documents sorted by their ranks. */
export function sortDocuments(ranks: Uint32Array, documents: readonly number[]): number[] {
  return [...documents].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
}

function codesOfValues({ values }: Column, chosen: string[]): ReadonlySet<number> | undefined {
  return chosen.length === 0 ? undefined : new Set(chosen.map((value) => values.indexOf(value)));
}

function hasAnyCode({ offsets, codes }: Column, document: number, chosenCodes: ReadonlySet<number> | undefined): boolean {
  if (!chosenCodes) return true;
  for (let i = offsets[document] ?? 0; i < (offsets[document + 1] ?? 0); i++) if (chosenCodes.has(codes[i] ?? -1)) return true;
  return false;
}

function countCodes({ offsets, codes }: Column, document: number, into: Uint32Array | undefined): void {
  if (!into) return;
  for (let i = offsets[document] ?? 0; i < (offsets[document + 1] ?? 0); i++) {
    const code = codes[i] ?? 0;
    into[code] = (into[code] ?? 0) + 1;
  }
}

function countsByValue({ values }: Column, numbers: Uint32Array | undefined): Record<string, number> {
  return Object.fromEntries(values.flatMap((value, i) => (numbers?.[i] ? [[value, numbers[i]]] : [])));
}

function overlapsYears(years: Years | undefined, document: number, from: number | undefined, to: number | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  const begin = years?.from[document] ?? 0;
  return begin > 0 && (to === undefined || begin <= to) && (from === undefined || (years?.to[document] ?? 0) >= from);
}
