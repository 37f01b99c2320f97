/**
 * The blocks of an index (docs/search-format.md): sorted words, each with the documents that have it and how much it counts in
 * each of them; and, in files of their own, the places of the words in the documents, which only phrases need.
 */
import type { Piece, Pieces } from './facet-table.ts';
import { withoutShared, withShared } from './shared-beginning.ts';
import { createByteWriter, readNumbers, sizeOfNumber } from './varints.ts';

type Numbers = readonly number[] | Uint32Array | Uint8Array;

/** A word as it is written. */
export interface WordToWrite {
  word: string;
  documents: Numbers;
  weights: Numbers;
  /** Where the word is in each document, as `encodePlaces` has it: numbers of words, counted from the beginning of a document. */
  places: Uint8Array;
}

/** A word in a block: the number of its documents, its number in the block, and where its postings begin, in bytes. */
export type BlockWord = ReturnType<typeof decodeWords>[number];

/** What one step of a weight stands for. */
export const WEIGHT_STEP = 10 / 255;

/** The two forms in which documents are written. */
const [GAPS, BITS] = [0, 1];

/** Returns the pieces of a block. `total` is the number of documents in the index. */
export function encodeBlock(words: readonly WordToWrite[], total: number): Piece[] {
  const postings = createByteWriter();
  let previous = '';
  const lines = words.map(({ word, documents, weights }) => {
    const before = postings.length;
    writeDocuments(postings, documents, total);
    postings.bytes(weights);
    const line = [withoutShared(word, previous), documents.length, postings.length - before].map(toText).join(' ');
    previous = word;
    return line;
  });
  return [
    { name: 'postings', data: postings.view().slice() },
    { name: 'words', data: new TextEncoder().encode(lines.join('\n')) },
  ];
}

const toText = (value: string | number) => (typeof value === 'number' ? value.toString(36) : value);

/** Writes the gaps between documents; of a word that is in many, a bit for each document of the index. */
function writeDocuments(out: ReturnType<typeof createByteWriter>, documents: Numbers, total: number): void {
  if (documents.length > total / 8) {
    const bits = new Uint8Array(Math.ceil(total / 8));
    for (const document of documents) bits[document >> 3] = (bits[document >> 3] as number) | (1 << (document & 7));
    out.number(BITS);
    out.number(bits.length);
    out.bytes(bits);
    return;
  }
  out.number(GAPS);
  let last = 0;
  for (const document of documents) {
    out.number(document - last);
    last = document;
  }
}

/** Returns the words of a block, sorted. */
export function decodeWords(pieces: Pieces) {
  let [word, start] = ['', 0];
  const text = new TextDecoder().decode(pieces.get('words'));
  return (text === '' ? [] : text.split('\n')).map((line, number) => {
    const [text = '', documents = '', length = ''] = line.split(' ');
    word = withShared(text, word);
    const own = { word, documents: Number.parseInt(documents, 36), number, start };
    start += Number.parseInt(length, 36);
    return own;
  });
}

/** Returns the documents of a word in a block. */
export function decodePostings(pieces: Pieces, { documents: count, start }: BlockWord) {
  const bytes = pieces.get('postings') as Uint8Array;
  const documents = new Uint32Array(count);
  let at = start + 1;
  if (bytes[start] === GAPS) {
    let document = 0;
    for (let i = 0; i < count; i++) {
      let byte = bytes[at++] as number;
      let gap = byte & 127;
      for (let factor = 128; byte > 127; factor *= 128) {
        byte = bytes[at++] as number;
        gap += (byte & 127) * factor;
      }
      document += gap;
      documents[i] = document;
    }
  } else {
    const length = readNumbers(bytes, at)();
    while ((bytes[at++] as number) > 127);
    for (let i = 0, byte = 0; byte < length; byte++, at++) {
      for (let bits = bytes[at] as number, bit = 0; bits > 0; bits >>= 1, bit++) if (bits & 1) documents[i++] = 8 * byte + bit;
    }
  }
  return {
    /** Their numbers in the index, ascending. */
    documents,
    /** How much the word counts in each of them, in steps of `WEIGHT_STEP`. */
    weights: bytes.subarray(at, at + count),
  };
}

/** Returns the places of a word as bytes: those of each of its documents, ascending. */
export function encodePlaces(places: Iterable<readonly number[]>): Uint8Array {
  const bytes = createByteWriter();
  for (const own of places) {
    bytes.number(own.length);
    let last = 0;
    for (const place of own) {
      bytes.number(place - last);
      last = place;
    }
  }
  return bytes.view().slice();
}

/** Returns the pieces of the places of a block's words. */
export function joinPlaces(words: readonly Pick<WordToWrite, 'places'>[]): Piece[] {
  const [lengths, all] = [createByteWriter(), createByteWriter()];
  for (const { places } of words) {
    lengths.number(places.length);
    all.bytes(places);
  }
  return [
    { name: 'lengths', data: lengths.view().slice() },
    { name: 'places', data: all.view().slice() },
  ];
}

/** Returns the places of each word of a block, as bytes. */
export function dividePlaces(pieces: Pieces): Uint8Array[] {
  const [lengths, places] = [pieces.get('lengths') as Uint8Array, pieces.get('places') as Uint8Array];
  const next = readNumbers(lengths);
  const words: Uint8Array[] = [];
  for (let left = lengths.length, start = 0; left > 0; ) {
    const length = next();
    words.push(places.subarray(start, start + length));
    start += length;
    left -= sizeOfNumber(length);
  }
  return words;
}

/** The places of a word in some documents: those in the n-th are from `starts[n]` to before `starts[n + 1]`, ascending. */
export type PlacesOfWord = ReturnType<typeof decodePlaces>;

/** Returns the places of a word in each of the documents `wanted`, which are some of its documents, ascending. */
export function decodePlaces(bytes: Uint8Array, documents: Uint32Array, wanted: Uint32Array) {
  const next = readNumbers(bytes);
  const [starts, places] = [new Uint32Array(wanted.length + 1), new Uint32Array(bytes.length)];
  for (let i = 0, found = 0, end = 0; found < wanted.length; i++) {
    const from = end;
    let place = 0;
    for (let left = next(); left > 0; left--) {
      place += next();
      places[end++] = place;
    }
    if (documents[i] === wanted[found]) starts[++found] = end;
    else end = from;
  }
  return { starts, places };
}

/** Returns the places of a word, as bytes, in those of its documents for which `isLeft`, by their number among these. */
export function filterPlaces(places: Uint8Array, isLeft: (n: number) => boolean): Uint8Array {
  const left = createByteWriter();
  for (let n = 0, start = 0, at = 0; at < places.length; n++, start = at) {
    let count = 0;
    for (let factor = 1, byte = 128; byte > 127; factor *= 128) {
      byte = places[at++] as number;
      count += (byte & 127) * factor;
    }
    for (; count > 0; count--) while ((places[at++] as number) > 127);
    if (isLeft(n)) left.bytes(places.subarray(start, at));
  }
  return left.view().slice();
}
