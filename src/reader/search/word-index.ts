/** Searches the words of a query in an index, also those that are only in texts that no page may show. */
import type { QueryWord } from '../../formats/search/parse-query.ts';
import { encodePrefix, encodeWord } from '../../formats/search/word-codes.ts';

/** Documents, ascending, and their scores in the same order: higher is better. */
export interface Found {
  /** Positions among all documents. */
  documents: Uint32Array;
  scores: Float32Array;
}

/** The words of an index, by their codes (word-codes.ts). A code without an end stands for all words that begin with it. */
export interface WordIndex {
  /** Number of documents. */
  total: number;
  /** Loads what is needed of words and keys, which need not exist, at the same time. */
  preload(codes: readonly string[]): Promise<void>;
  /** Returns which kinds of words there are: those that pages may show, and those that none may show. */
  find(code: string): Promise<{ isVisible: boolean; isHidden: boolean }>;
  /** Returns the documents with all codes; those with a hidden word too. */
  search(codes: readonly string[]): Promise<Found>;
  /** Returns the documents in which words follow each other, ascending. */
  findPhrase(codes: readonly string[]): Promise<Uint32Array>;
}

/** Returns the documents that are in all lists, with their scores added up. */
export function intersect(lists: readonly Found[]): Found {
  const [fewest, ...others] = [...lists].sort((a, b) => a.documents.length - b.documents.length);
  if (!fewest) return { documents: new Uint32Array(), scores: new Float32Array() };
  return others.reduce(intersectTwo, fewest);
}

/** The same for two lists, of which the first one is not longer. */
function intersectTwo(one: Found, other: Found): Found {
  const [documents, scores] = [new Uint32Array(one.documents.length), new Float32Array(one.documents.length)];
  let [count, at] = [0, 0];
  for (let i = 0; i < one.documents.length; i++) {
    const document = one.documents[i] as number;
    at = advance(other.documents, document, at);
    if (other.documents[at] !== document) continue;
    documents[count] = document;
    scores[count++] = (one.scores[i] as number) + (other.scores[at] as number);
  }
  return { documents: documents.subarray(0, count), scores: scores.subarray(0, count) };
}

/** Returns the place of the first document that is not before another one, in steps that double, from a place on. */
function advance(documents: Uint32Array, document: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < documents.length && (documents[low + step] as number) < document) {
    low += step;
    step *= 2;
  }
  let high = Math.min(documents.length, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((documents[middle] as number) < document) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A word of a query that documents have. */
export interface KnownWord extends QueryWord {
  /** Whether texts that pages show have it. */
  isVisible: boolean;
  /** Whether texts that no page may show have it. */
  isHidden: boolean;
}

/** Returns the code of a word of a query, or of the words that begin with it. */
export function codeOf({ text, isPrefix }: Pick<QueryWord, 'text' | 'isPrefix'>): string {
  return isPrefix ? encodePrefix(text) : encodeWord(text);
}

/** Returns the documents that have all words and phrases. */
export async function searchAll(words: readonly KnownWord[], phrases: readonly string[][], index: WordIndex): Promise<Found> {
  const codes = [...words.map(codeOf), ...new Set(phrases.flat().map(encodeWord))];
  const found = await index.search(codes);
  const inPhrases = await Promise.all(phrases.map((phrase) => index.findPhrase(phrase.map(encodeWord))));
  return intersect([found, ...inPhrases.map((documents) => ({ documents, scores: new Float32Array(documents.length) }))]);
}

/** Returns how many elements of a sorted list are not greater than a value. */
export function countNotGreater<T extends string | number>(sorted: ArrayLike<T>, value: T): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as T) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
