/**
 * Stores the facet values, years and sort positions of all search documents in a few arrays, with which the search page filters,
 * counts and sorts. Pagefind's own counts take time proportional to results × documents: 50 seconds for a frequent word in
 * 100,000 records. These take a few milliseconds.
 */
import type { SearchFacet } from '../../model/facets.ts';
import { type FragmentPrefix, fragmentName, NOT_NUMBERED, parseFragmentName } from './fragment-names.ts';

/** The directory of the packs with the columns, in `assets/`: one pack per facet, and those of `OTHER_PACKS`. */
export const FACETS_DIRECTORY = 'facets';
/** The packs that are not of a facet: the names of parts and documents, years, and orders. */
export const OTHER_PACKS = ['parts', 'documents', 'years', 'title', 'date'] as const;
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

/** A part of the index, and what the names of its fragments begin with. */
export interface IndexPart extends FragmentPrefix {
  /** The number of documents in it, outdated ones included. */
  documents: number;
}

/** The current documents of all parts. A document is a number, its position among them. */
export type DocumentNames = ReturnType<typeof decodeDocuments>;

/** Returns the parts of the index as pieces. The first part has the engine. */
export function encodeParts(parts: readonly IndexPart[]): Piece[] {
  return [{ name: 'parts', data: encodeJson(parts) }];
}

/** Returns what `encodeParts` encoded. */
export function decodeParts(pieces: Pieces): IndexPart[] {
  return decodeJson(pieces, 'parts') as IndexPart[];
}

/**
 * Returns the names of the fragments of all documents as pieces, sorted by name. Of each number there is the difference from the
 * one before in its part, which is 1 for most documents that are numbered. `records` has the documents of the records that files
 * and segments are part of: these are near, so that there are the distances, which are small numbers.
 */
export function encodeDocuments(
  names: readonly string[],
  parts: readonly IndexPart[],
  records: ReadonlyMap<number, number>,
): Piece[] {
  const positions = new Map(parts.map(({ name }, position) => [name, position]));
  const last = new Uint32Array(parts.length);
  const [part, steps] = [new Uint32Array(names.length), new Uint32Array(names.length)];
  for (const [document, id] of names.entries()) {
    const { name, number } = parseFragmentName(id);
    const position = positions.get(name) ?? 0;
    part[document] = position;
    steps[document] = number - (last[position] ?? 0);
    last[position] = number;
  }
  return [
    { name: 'part', data: encodeNumbers(part) },
    {
      name: 'record',
      data: encodeNumbers(names.map((_, document) => encodeDistance((records.get(document) ?? document) - document))),
    },
    { name: 'steps', data: encodeNumbers(steps) },
  ];
}

/** Returns a distance in either direction as a number from 0: even ones forward, odd ones back. */
function encodeDistance(distance: number): number {
  return distance < 0 ? -2 * distance - 1 : 2 * distance;
}

function decodeDistance(code: number): number {
  return code % 2 === 0 ? code / 2 : -(code + 1) / 2;
}

/** Returns what `encodeDocuments` encoded. */
export function decodeDocuments(pieces: Pieces, parts: readonly IndexPart[]) {
  const [part, numbers, records] = [numbersOf(pieces, 'part'), numbersOf(pieces, 'steps'), numbersOf(pieces, 'record')];
  const last = new Uint32Array(parts.length);
  const lookups = parts.map(createLookup);
  for (const [document, step] of numbers.entries()) {
    const position = part[document] ?? 0;
    const number = ((last[position] ?? 0) + step) >>> 0;
    last[position] = number;
    numbers[document] = number;
    lookups[position]?.set(number, document);
  }
  const byName = new Map(parts.map((each, position) => [each.name, { ...each, lookup: lookups[position] as Lookup }]));
  return {
    count: numbers.length,
    /** Returns the name of a document's fragment. */
    nameOf: (document: number) => fragmentName({ ...(parts[part[document] ?? 0] as IndexPart), number: numbers[document] ?? 0 }),
    /** Returns the document with a fragment of this name; undefined if it is outdated. */
    documentOf(id: string) {
      const { name, hash, number } = parseFragmentName(id);
      const own = byName.get(name);
      // With another hash, the index and this table are of two builds.
      return own?.hash === hash ? own.lookup.get(number) : undefined;
    },
    /** Returns the document of the record that a file, or of the interview that a segment, is part of; undefined for others. */
    parentOf(document: number) {
      const distance = decodeDistance(records[document] ?? 0);
      return distance === 0 ? undefined : document + distance;
    },
  };
}

/** Finds documents by their numbers in a part. */
interface Lookup {
  set(number: number, document: number): void;
  get(number: number): number | undefined;
}

function createLookup({ hash, documents: count }: IndexPart): Lookup {
  if (hash === NOT_NUMBERED) return new Map<number, number>();
  /** 1 more than the document; 0 if there is none. */
  const documents = new Uint32Array(count);
  return {
    set(number, document) {
      documents[number] = document + 1;
    },
    get: (number) => (documents[number] ? documents[number] - 1 : undefined),
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
function shortFiling([shown, sort]: FiledValue): string | FiledValue {
  return shown === sort ? shown : [shown, sort];
}

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
