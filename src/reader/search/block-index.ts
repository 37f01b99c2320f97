/** Searches words in the files of an index, of which it reads the blocks of the words alone (docs/search-format.md). */
import { cached } from '../../formats/cached.ts';
import type { Pieces } from '../../formats/search/facet-table.ts';
import { findKey, keyBucket } from '../../formats/search/key-buckets.ts';
import * as wordBlock from '../../formats/search/word-block.ts';
import { isHiddenCode, isKeyCode, isWholeCode, toHiddenCode } from '../../formats/search/word-codes.ts';
import { countNotGreater, type Found, intersect, type WordIndex } from './word-index.ts';

/** A set of files with an index: the base, or what changed since. */
export interface IndexSet {
  /** URL of its directory, with a slash at its end. */
  directory: string;
  /** The first word of each block. */
  firsts: readonly string[];
  /** Number of the files of keys. */
  buckets: number;
  /** The position of each of its documents among all; -1 if it was erased. Undefined if they are all, in their order. */
  positions: Int32Array | undefined;
}

/** A word in a block of a set. */
interface PlacedWord {
  set: IndexSet;
  block: number;
  pieces: Pieces;
  word: wordBlock.BlockWord;
}

/** Blocks in memory, and words whose documents are. */
const MAX_BLOCKS = 200;
const MAX_WORDS = 24;
/** Documents of these words. */
const MAX_DOCUMENTS = 4_000_000;

/**
 * Returns the index of words. `total` is the number of documents, and `load` returns the pieces of a file. Its functions reject
 * if a file cannot be loaded.
 */
export function createBlockIndex(sets: readonly IndexSet[], total: number, load: (url: string) => Promise<Pieces>): WordIndex {
  const files = openFiles(sets, load);
  const scoresOf = cached<Found>(
    MAX_WORDS,
    async (code) => {
      if (!isKeyCode(code)) return addUp(code, await files.findWords(code), total);
      const documents = Uint32Array.from((await files.findKey(code)).sort((a, b) => a - b));
      return { documents, scores: new Float32Array(documents.length).fill(1) };
    },
    { total: MAX_DOCUMENTS, sizeOf: ({ documents }) => documents.length },
  );
  return {
    total,
    async preload(codes) {
      await Promise.all(codes.map((code) => (isKeyCode(code) ? scoresOf(code) : files.findWords(code))));
    },
    search: async (codes) => intersect(await Promise.all([...new Set(codes)].map(scoresOf))),
    async findPhrase(codes) {
      const words = await Promise.all(codes.map(files.findWords));
      const found = await Promise.all(
        sets.map(async (set) => {
          const own = words.map((each) => each.find((placed) => placed.set === set && !isHiddenCode(placed.word.word)));
          return own.every((word) => word !== undefined) ? findPhraseIn(own, files.readPlaces) : [];
        }),
      );
      return Uint32Array.from(found.flat()).sort();
    },
    async find(code) {
      const words = await files.findWords(code);
      const isHidden = ({ word }: PlacedWord) => isHiddenCode(word.word);
      return { isVisible: !words.every(isHidden), isHidden: words.some(isHidden) };
    },
  };
}

/** Opens the files of some sets. */
function openFiles(sets: readonly IndexSet[], load: (url: string) => Promise<Pieces>) {
  const pieces = cached(MAX_BLOCKS, (url) => load(url));
  const blocks = cached(MAX_BLOCKS, async (url) => {
    const own = await pieces(url);
    return { pieces: own, words: wordBlock.decodeWords(own) };
  });
  return {
    /** Returns the words of a code, or that begin with it, in all sets, hidden ones included. */
    async findWords(code: string): Promise<PlacedWord[]> {
      const hidden = toHiddenCode(code);
      const matches = (word: string) => (isWholeCode(code) ? word === code || word === hidden : word.startsWith(code));
      const found = sets.flatMap((set) =>
        blocksOf(code, hidden, set.firsts).map(async (block) => {
          const own = await blocks(`${set.directory}w${block}.js`);
          return own.words
            .filter(({ word }) => matches(word))
            .map((word): PlacedWord => ({ set, block, pieces: own.pieces, word }));
        }),
      );
      return (await Promise.all(found)).flat();
    },
    /** Returns the places of a word, as bytes. */
    readPlaces: async ({ set, block, word }: PlacedWord) =>
      wordBlock.dividePlaces(await pieces(`${set.directory}p${block}.js`))[word.number] as Uint8Array,
    /** Returns the positions of the documents with a key. */
    async findKey(code: string): Promise<number[]> {
      const found = await Promise.all(
        sets.map(async ({ directory, buckets, positions }) => {
          const numbers = findKey(await pieces(`${directory}k${keyBucket(code, buckets)}.js`), code);
          return numbers.map((number) => (positions ? (positions[number] ?? -1) : number)).filter((at) => at >= 0);
        }),
      );
      return found.flat();
    },
  };
}

/** Returns the documents of a word: their numbers in its set, and in the same order their weights and positions. */
function documentsOf({ set: { positions }, pieces, word }: PlacedWord) {
  const { documents: numbers, weights } = wordBlock.decodePostings(pieces, word);
  return { numbers, weights, positions: positions ? Int32Array.from(numbers, (number) => positions[number] ?? -1) : numbers };
}

/** Returns the documents of some words that a code stands for, with their scores added up. Rarer codes count more, as in BM25. */
function addUp(code: string, words: readonly PlacedWord[], total: number): Found {
  const sums = new Float32Array(total);
  let count = 0;
  for (const own of words) {
    const { positions, weights } = documentsOf(own);
    const factor = wordBlock.WEIGHT_STEP * bonusOf(code, own.word.word);
    for (let i = 0; i < positions.length; i++) {
      const position = positions[i] as number;
      if (position < 0) continue;
      const sum = sums[position] as number;
      if (sum === 0) count++;
      sums[position] = sum + (weights[i] as number) * factor;
    }
  }
  const found = { documents: new Uint32Array(count), scores: new Float32Array(count) };
  const rarity = Math.log(1 + (total - count + 0.5) / (count + 0.5));
  for (let position = 0, i = 0; i < count; position++) {
    const sum = sums[position] as number;
    if (sum === 0) continue;
    found.documents[i] = position;
    found.scores[i++] = sum * rarity;
  }
  return found;
}

/** Returns the positions of the documents of a set in which words follow each other. */
async function findPhraseIn(
  words: readonly PlacedWord[],
  readPlaces: (word: PlacedWord) => Promise<Uint8Array>,
): Promise<number[]> {
  const read = words.map(documentsOf);
  const lists = read.map(({ numbers }) => ({ documents: numbers, scores: new Float32Array(numbers.length) }));
  const wanted = intersect(lists).documents;
  if (wanted.length === 0) return [];
  const places = await Promise.all(
    words.map(async (word, i) => wordBlock.decodePlaces(await readPlaces(word), read[i]?.numbers as Uint32Array, wanted)),
  );
  const positions = words[0]?.set.positions;
  const found: number[] = [];
  for (let i = 0; i < wanted.length; i++) {
    const number = wanted[i] as number;
    const position = positions ? (positions[number] ?? -1) : number;
    if (position >= 0 && hasPhrase(places, i)) found.push(position);
  }
  return found;
}

/** Whether words follow each other in the n-th of some documents. */
function hasPhrase([first, ...others]: readonly wordBlock.PlacesOfWord[], n: number): boolean {
  const { starts, places } = first as wordBlock.PlacesOfWord;
  for (let at = starts[n] as number; at < (starts[n + 1] as number); at++) {
    const place = places[at] as number;
    if (others.every((own, k) => hasPlace(own, n, place + k + 1))) return true;
  }
  return false;
}

function hasPlace({ starts, places }: wordBlock.PlacesOfWord, n: number, wanted: number): boolean {
  let [low, high] = [starts[n] as number, starts[n + 1] as number];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < (starts[n + 1] as number) && places[low] === wanted;
}

/** Returns the numbers of the blocks in which a word may be, or its hidden form; or words that begin with a code. */
function blocksOf(code: string, hidden: string, firsts: readonly string[]): number[] {
  const begin = countNotGreater(firsts, code);
  const found = begin > 0 ? [begin - 1] : [];
  const isReached = (first: string) => (isWholeCode(code) ? first <= hidden : first.startsWith(code));
  for (let block = begin; block < firsts.length && isReached(firsts[block] as string); block++) found.push(block);
  return found;
}

/** Longer words than the code count less, as Pagefind counts them. */
function bonusOf(code: string, word: string): number {
  if (isWholeCode(code)) return 1;
  const bonus = (more: number) => Math.exp(Math.exp((-0.5 * more ** 2) / 4)) / Math.E;
  return bonus(word.length - code.length - 1) / bonus(1);
}
