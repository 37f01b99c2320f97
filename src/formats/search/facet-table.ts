/**
 * Stores the facet values, years and sort positions of all search documents in a few arrays, with which the search page filters,
 * counts and sorts. Pagefind's own counts take time proportional to results × documents: 50 seconds for a frequent word in
 * 100,000 records. These take a few milliseconds.
 */
import type { SearchFacet } from '../../model/facets.ts';

/** The directory of the packs with the columns, in `assets/`: one pack per facet, and those of `OTHER_PACKS`. */
export const FACETS_DIRECTORY = 'facets';
/** The packs that belong to no facet: the records of files and segments, years, and orders. */
export const OTHER_PACKS = ['parents', 'years', 'title', 'date'] as const;
/** A pack of columns: a search loads those that it needs. */
export type FacetPack = SearchFacet | (typeof OTHER_PACKS)[number];

/** The values of one facet. Document `d` has `codes[offsets[d]]` up to `codes[offsets[d + 1]]`, positions in `values`. */
export interface Column {
  values: string[];
  offsets: Uint32Array;
  codes: Uint32Array;
  /** Of a facet of names: how lists show and sort each value. */
  filed?: ReadonlyMap<string, FiledValue>;
}

/** How lists show and sort a name (src/model/names/filing.ts), without the ID of the person. */
export type FiledValue = readonly [shown: string, sort: string];

/** First and last year of each document; 0 if it has none. */
export type Years = Record<'from' | 'to', Uint32Array>;

/** The pieces of a pack, by name. */
export type Pieces = ReadonlyMap<string, Uint8Array>;
/** A piece of a pack. */
export interface Piece {
  name: string;
  data: Uint8Array;
}

/**
 * Returns the records that files and segments are part of as a piece, by their documents: of `count` documents, the distance to
 * that of the record, which is a small number; 0 if a document is part of none.
 */
export function encodeParents(parents: ReadonlyMap<number, number>, count: number): Piece[] {
  const distances = Array.from({ length: count }, (_, document) => (parents.get(document) ?? document) - document);
  // Even numbers are distances forward, odd ones back.
  return [{ name: 'distances', data: encodeNumbers(distances.map((each) => (each < 0 ? -2 * each - 1 : 2 * each))) }];
}

/** Reads what `encodeParents` encoded: returns a function that returns the document of a document's record, or undefined. */
export function decodeParents(pieces: Pieces) {
  const distances = numbersOf(pieces, 'distances');
  return (document: number) => {
    const code = distances[document] ?? 0;
    return code === 0 ? undefined : document + (code % 2 === 0 ? code / 2 : -(code + 1) / 2);
  };
}

/** Returns the column of a facet as pieces, sorted by name. */
export function encodeColumn({ values, offsets, codes, filed }: Column): Piece[] {
  const counts = Uint32Array.from({ length: offsets.length - 1 }, (_, i) => (offsets[i + 1] ?? 0) - (offsets[i] ?? 0));
  return [
    { name: 'codes', data: encodeNumbers(codes) },
    { name: 'counts', data: encodeNumbers(counts) },
    ...(filed
      ? [{ name: 'filed', data: encodeJson(values.map((value) => shortFiling(filed.get(value) ?? [value, value]))) }]
      : []),
    { name: 'values', data: encodeJson(values) },
  ];
}

/** Most names are sorted as they are shown. */
const shortFiling = ([shown, sort]: FiledValue): string | FiledValue => (shown === sort ? shown : [shown, sort]);

/** Returns what `encodeColumn` encoded. */
export function decodeColumn(pieces: Pieces): Column {
  const counts = numbersOf(pieces, 'counts');
  const offsets = new Uint32Array(counts.length + 1);
  for (const [i, count] of counts.entries()) offsets[i + 1] = (offsets[i] ?? 0) + count;
  const column = { values: decodeJson(pieces, 'values') as string[], offsets, codes: numbersOf(pieces, 'codes') };
  if (!pieces.has('filed')) return column;
  const filed = decodeJson(pieces, 'filed') as Array<string | FiledValue>;
  const fullFiling = (each: string | FiledValue = ''): FiledValue => (typeof each === 'string' ? [each, each] : each);
  return { ...column, filed: new Map(column.values.map((value, i) => [value, fullFiling(filed[i])])) };
}

/** Returns years as pieces, sorted by name. */
export function encodeYears({ from, to }: Years): Piece[] {
  const lengths = from.map((first, i) => (to[i] ?? 0) - first);
  return [
    { name: 'from', data: encodeNumbers(from) },
    { name: 'length', data: encodeNumbers(lengths) },
  ];
}

/** Returns what `encodeYears` encoded. */
export function decodeYears(pieces: Pieces): Years {
  const [from, lengths] = [numbersOf(pieces, 'from'), numbersOf(pieces, 'length')];
  return { from, to: from.map((first, i) => first + (lengths[i] ?? 0)) };
}

/** Returns each document's rank in an order as pieces. */
export const encodeRanks = (ranks: Uint32Array): Piece[] => [{ name: 'rank', data: encodeNumbers(ranks) }];

/** Returns what `encodeRanks` encoded. */
export const decodeRanks = (pieces: Pieces): Uint32Array => numbersOf(pieces, 'rank');

const encodeJson = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const decodeJson = (pieces: Pieces, name: string): unknown => JSON.parse(new TextDecoder().decode(pieceOf(pieces, name)));

const numbersOf = (pieces: Pieces, name: string): Uint32Array => decodeNumbers(pieceOf(pieces, name));

/** @throws {Error} if the piece is missing */
function pieceOf(pieces: Pieces, name: string): Uint8Array {
  const found = pieces.get(name);
  if (!found) throw new Error(`A pack of the facet table has no ${name}`);
  return found;
}

/** Returns numbers from 0 to 2³² − 1 as bytes. */
export function encodeNumbers(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  let max = 0;
  for (let i = 0; i < numbers.length; i++) max = Math.max(max, numbers[i] ?? 0);
  const width = max < 2 ** 8 ? 1 : max < 2 ** 16 ? 2 : max < 2 ** 24 ? 3 : 4;
  const bytes = new Uint8Array(1 + width * numbers.length);
  bytes[0] = width;
  for (let byte = 0; byte < width; byte++) {
    const start = 1 + byte * numbers.length;
    for (let i = 0; i < numbers.length; i++) bytes[start + i] = ((numbers[i] ?? 0) >>> (8 * byte)) & 0xff;
  }
  return bytes;
}

/** Returns the numbers that `encodeNumbers` encoded. */
export function decodeNumbers(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  const width = bytes[0] ?? 1;
  const numbers = new Uint32Array((bytes.length - 1) / width);
  for (let byte = 0; byte < width; byte++) {
    const start = 1 + byte * numbers.length;
    for (let i = 0; i < numbers.length; i++) numbers[i] = ((numbers[i] ?? 0) | ((bytes[start + i] ?? 0) << (8 * byte))) >>> 0;
  }
  return numbers;
}
