/** Searches the words of a query in an index, also those that are only in texts that no page may show. */
import type { QueryWord } from '../../formats/search/parse-query.ts';
import { encodePrefix, encodeWord } from '../../formats/search/word-codes.ts';

/** A document that was found. */
export interface FoundDocument {
  /** Its position among all documents. */
  document: number;
  /** Higher is better. */
  score: number;
  /** The words of the query that it has, if it does not have all of them. */
  matched?: ReadonlySet<string>;
}

/** The words of an index, by their codes (word-codes.ts). A code without an end stands for all words that begin with it. */
export interface WordIndex<D extends FoundDocument> {
  /** Loads what is needed of words and keys, which need not exist, at the same time. */
  preload(codes: readonly string[]): Promise<void>;
  /** Returns which kinds of words there are: those that pages may show, and those that none may show. */
  find(code: string): Promise<{ isVisible: boolean; isHidden: boolean }>;
  /** Returns the documents with all codes; those with a hidden word too, unless it has an end. */
  search(codes: readonly string[]): Promise<D[]>;
  /** Returns the documents in which words follow each other. */
  findPhrase(codes: readonly string[]): Promise<D[]>;
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
export async function searchAll<D extends FoundDocument>(
  words: readonly KnownWord[],
  phrases: readonly string[][],
  index: WordIndex<D>,
): Promise<D[]> {
  const codes = [...words.map(codeOf), ...new Set(phrases.flat().map(encodeWord))];
  let documents = codes.length > 0 ? await index.search(codes) : [];
  for (const phrase of phrases) {
    const inPhrase = new Set((await index.findPhrase(phrase.map(encodeWord))).map(({ document }) => document));
    documents = documents.filter(({ document }) => inPhrase.has(document));
  }
  return documents;
}
