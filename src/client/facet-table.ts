/**
 * Stores the facet values, years and sort positions of all search documents in a few arrays, with which the search page filters, counts and
 * sorts. Pagefind's own counts take time proportional to results × documents: 50 seconds for a frequent word in 100,000 records. These take a
 * few milliseconds.
 */

/** The facets that search filters by, in their order on the page. Years are a range and not among them. */
export const FACETS = ['model', 'collection', 'genre', 'format', 'topic', 'facility', 'language'] as const;
/** One of `FACETS`. */
export type SearchFacet = (typeof FACETS)[number];

/** All search documents. A document is a number, its position in `ids`. */
export interface FacetTable {
  /** The names of the documents' fragments in the index, in the order in which they were added. */
  ids: string[];
  facets: Record<SearchFacet, Column>;
  /** First and last year of each document; 0 if it has none. */
  from: Uint16Array;
  to: Uint16Array;
  /** Each document's rank in the order of titles, and of dates. */
  title: Uint32Array;
  date: Uint32Array;
}

/** The values of one facet. Those of document `d` are `codes[offsets[d]]` up to `codes[offsets[d + 1]]`, as positions in `values`. */
export interface Column {
  values: string[];
  offsets: Uint32Array;
  codes: Uint32Array;
}

/** Returns the table as named byte arrays (little-endian), sorted by name. */
export function encodeTable(table: FacetTable): Array<{ name: string; data: Uint8Array }> {
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const raw = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array) => new Uint8Array(buffer, byteOffset, byteLength);
  return [
    { name: 'date', data: raw(table.date) },
    ...FACETS.flatMap((facet) => {
      const { values, offsets, codes } = table.facets[facet];
      return [
        { name: `facet.${facet}.codes`, data: raw(codes) },
        { name: `facet.${facet}.offsets`, data: raw(offsets) },
        { name: `facet.${facet}.values`, data: json(values) },
      ];
    }),
    { name: 'from', data: raw(table.from) },
    { name: 'ids', data: json(table.ids) },
    { name: 'title', data: raw(table.title) },
    { name: 'to', data: raw(table.to) },
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the table from the pieces that `encodeTable` made.
 * @throws {Error} if a piece is missing.
 */
export function decodeTable(pieces: ReadonlyMap<string, Uint8Array>): FacetTable {
  const piece = (name: string): Uint8Array => {
    const found = pieces.get(name);
    if (!found) throw new Error(`The facet table has no ${name}`);
    return found;
  };
  const json = (name: string) => JSON.parse(new TextDecoder().decode(piece(name))) as string[];
  // Copied, because a typed array must start at a multiple of its element size.
  const short = (name: string) => new Uint16Array(piece(name).slice().buffer);
  const long = (name: string) => new Uint32Array(piece(name).slice().buffer);
  const column = (facet: SearchFacet): Column => ({
    values: json(`facet.${facet}.values`),
    offsets: long(`facet.${facet}.offsets`),
    codes: long(`facet.${facet}.codes`),
  });
  return {
    ids: json('ids'),
    facets: Object.fromEntries(FACETS.map((facet) => [facet, column(facet)])) as Record<SearchFacet, Column>,
    from: short('from'),
    to: short('to'),
    title: long('title'),
    date: long('date'),
  };
}

/** Numbers of records by facet and value; values without records are left out. */
export type Counts = Record<string, Record<string, number>>;

/** The filters of a query. Of the values of one facet in `chosen`, at least one must match. Either year may be undefined. */
export interface FacetFilter {
  chosen: Readonly<Record<string, string[]>>;
  from: number | undefined;
  to: number | undefined;
}

/**
 * Returns the documents that match, in their order, and the number of documents that each facet value would give with the choices in all other
 * facets unchanged.
 */
export function selectDocuments(
  table: FacetTable,
  documents: Iterable<number>,
  { chosen, from, to }: FacetFilter,
): { matching: number[]; counts: Counts } {
  const chosenCodes = FACETS.map((facet) => codesOfValues(table.facets[facet], chosen[facet] ?? []));
  const countsByColumn = FACETS.map((facet) => new Uint32Array(table.facets[facet].values.length));
  const matching: number[] = [];
  for (const document of documents) {
    if (!overlapsYears(table, document, from, to)) continue;
    let misses = 0;
    let excludedBy = -1;
    for (let f = 0; f < FACETS.length && misses < 2; f++) {
      if (hasAnyCode(columnOfFacet(table, f), document, chosenCodes[f])) continue;
      misses++;
      excludedBy = f;
    }
    if (misses === 0) matching.push(document);
    // A document that only one facet excludes would match with another choice in that facet, so it counts there.
    if (misses < 2)
      for (let f = 0; f < FACETS.length; f++)
        if (misses === 0 || f === excludedBy) countCodes(columnOfFacet(table, f), document, countsByColumn[f]);
  }
  const counts = Object.fromEntries(FACETS.map((facet, f) => [facet, countsByValue(table.facets[facet], countsByColumn[f])]));
  return { matching, counts };
}

/** Returns the documents sorted by title or by date. */
export function sortDocuments(
  { title, date }: Pick<FacetTable, 'title' | 'date'>,
  documents: number[],
  order: 'title' | 'date',
): number[] {
  const ranks = order === 'title' ? title : date;
  return [...documents].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
}

function columnOfFacet(table: FacetTable, f: number): Column {
  return table.facets[FACETS[f] as SearchFacet];
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

function overlapsYears(
  { from: first, to: last }: FacetTable,
  document: number,
  from: number | undefined,
  to: number | undefined,
): boolean {
  if (from === undefined && to === undefined) return true;
  const begin = first[document] ?? 0;
  return begin > 0 && (to === undefined || begin <= to) && (from === undefined || (last[document] ?? 0) >= from);
}
