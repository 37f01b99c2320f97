/**
 * Stores the facet values, years and sort positions of all search documents in a few arrays, with which the search page filters, counts and
 * sorts. Pagefind's own counts take time proportional to results × documents: 50 seconds for a frequent word in 100,000 records. These take a
 * few milliseconds.
 */
import { decodeNumbers, encodeNumbers } from './number-column.ts';

/** The facets that search filters by, in their order on the page. Years are a range and not among them. */
export const FACETS = ['model', 'collection', 'genre', 'format', 'topic', 'facility', 'language'] as const;
/** One of `FACETS`. */
export type SearchFacet = (typeof FACETS)[number];

/** The directory of the packs with the columns, in `assets/`: one pack per facet, and those of `OTHER_PACKS`. */
export const FACETS_DIRECTORY = 'facets';
/** The packs that are not of a facet: the names of parts and documents, years, and orders. */
export const OTHER_PACKS = ['parts', 'documents', 'years', 'title', 'date'] as const;
/** A pack of columns: a search loads those that it needs. */
export type FacetPack = SearchFacet | (typeof OTHER_PACKS)[number];

/** The values of one facet. Those of document `d` are `codes[offsets[d]]` up to `codes[offsets[d + 1]]`, as positions in `values`. */
export interface Column {
  values: string[];
  offsets: Uint32Array;
  codes: Uint32Array;
}

/** First and last year of each document; 0 if it has none. */
export interface Years {
  from: Uint32Array;
  to: Uint32Array;
}

/** The pieces of a pack, by name. */
export type Pieces = ReadonlyMap<string, Uint8Array>;
/** A piece of a pack. */
export interface Piece {
  name: string;
  data: Uint8Array;
}

/** A part of the index. */
export interface IndexPart {
  /** The names of its fragments begin with it. */
  name: string;
  /** The number of documents in it, outdated ones included. */
  documents: number;
}

/** Returns the parts of the index as pieces. The first part has the engine. */
export function encodeParts(parts: readonly IndexPart[]): Piece[] {
  return [{ name: 'parts', data: encodeJson(parts) }];
}

/** Returns what `encodeParts` encoded. */
export function decodeParts(pieces: Pieces): IndexPart[] {
  return decodeJson(pieces, 'parts') as IndexPart[];
}

/**
 * Returns the names of all documents as pieces, sorted by name. A document is a number, its position in `ids`, and is named like its fragment: with
 * the name of its part, and a number in base 16. A document that is outdated in a part is not in `ids`.
 */
export function encodeDocuments(ids: readonly string[], parts: readonly IndexPart[]): Piece[] {
  const split = ids.map((id) => [id.slice(0, id.indexOf('_')), id.slice(id.indexOf('_') + 1)] as const);
  const isShort = (number: string) => number.length === SHORT_LENGTH;
  const long = split.flatMap(([, number], i) => (isShort(number) ? [] : [[i, number] as const]));
  return [
    { name: 'long', data: encodeJson(long) },
    { name: 'number', data: encodeNumbers(split.map(([, number]) => (isShort(number) ? Number.parseInt(number, 16) : 0))) },
    { name: 'part', data: encodeNumbers(split.map(([part]) => parts.findIndex(({ name }) => name === part))) },
  ];
}

/** Digits of nearly all names of fragments. Pagefind takes more if two would have the same name. */
const SHORT_LENGTH = 7;

/** Returns what `encodeDocuments` encoded. */
export function decodeDocuments(pieces: Pieces, parts: readonly IndexPart[]): string[] {
  const long = decodeJson(pieces, 'long') as Array<[number, string]>;
  const [numbers, part] = [numbersOf(pieces, 'number'), numbersOf(pieces, 'part')];
  const nameOf = (i: number) => parts[part[i] ?? 0]?.name;
  const ids = Array.from(numbers, (number, i) => `${nameOf(i)}_${number.toString(16).padStart(SHORT_LENGTH, '0')}`);
  for (const [i, number] of long) ids[i] = `${nameOf(i)}_${number}`;
  return ids;
}

/** Returns the column of a facet as pieces, sorted by name. */
export function encodeColumn({ values, offsets, codes }: Column): Piece[] {
  const counts = Uint32Array.from({ length: offsets.length - 1 }, (_, i) => (offsets[i + 1] ?? 0) - (offsets[i] ?? 0));
  return [
    { name: 'codes', data: encodeNumbers(codes) },
    { name: 'counts', data: encodeNumbers(counts) },
    { name: 'values', data: encodeJson(values) },
  ];
}

/** Returns what `encodeColumn` encoded. */
export function decodeColumn(pieces: Pieces): Column {
  const counts = numbersOf(pieces, 'counts');
  const offsets = new Uint32Array(counts.length + 1);
  for (const [i, count] of counts.entries()) offsets[i + 1] = (offsets[i] ?? 0) + count;
  return { values: decodeJson(pieces, 'values') as string[], offsets, codes: numbersOf(pieces, 'codes') };
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
export function encodeRanks(ranks: Uint32Array): Piece[] {
  return [{ name: 'rank', data: encodeNumbers(ranks) }];
}

/** Returns what `encodeRanks` encoded. */
export function decodeRanks(pieces: Pieces): Uint32Array {
  return numbersOf(pieces, 'rank');
}

function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function decodeJson(pieces: Pieces, name: string): unknown {
  return JSON.parse(new TextDecoder().decode(pieceOf(pieces, name)));
}

function numbersOf(pieces: Pieces, name: string): Uint32Array {
  return decodeNumbers(pieceOf(pieces, name));
}

/** @throws {Error} if the piece is missing */
function pieceOf(pieces: Pieces, name: string): Uint8Array {
  const found = pieces.get(name);
  if (!found) throw new Error(`A pack of the facet table has no ${name}`);
  return found;
}
