/** Searches words in Pagefind’s index, also those that are only in texts that no page may show. */
import type { QueryWord } from '../../formats/search/parse-query.ts';
import type { VocabularyWord } from '../../formats/search/vocabulary.ts';
import { encodeHidden, encodePrefix, encodeWord } from '../../formats/search/word-codes.ts';

/** A document that was found. */
export interface FoundDocument {
  /** Its position among all documents. */
  document: number;
  /** Higher is better. */
  score: number;
  /** The words of the query that it has, if it does not have all of them. */
  matched?: ReadonlySet<string>;
}

/** What is needed of Pagefind. `codes` are separated by spaces; in quotation marks, they must follow each other. */
export interface WordIndex<D extends FoundDocument> {
  /** The codes that were loaded, which `loadWords` fills. */
  loaded: Set<string>;
  /** Loads the parts of the index that contain these words. */
  preload(codes: string): Promise<void>;
  search(codes: string): Promise<D[]>;
}

/** A word of a query that documents have. */
export interface KnownWord extends QueryWord {
  /** The words of visible texts that it matches; several only for a prefix. */
  entries: readonly VocabularyWord[];
  /** The words of texts that no page may show that it matches. */
  hidden: readonly VocabularyWord[];
}

/**
 * Loads the parts of the index with some words, and with other codes that need not exist, all at the same time. Pagefind finds
 * the words that begin with a prefix only in what is loaded, and ignores a part that it cannot load.
 * @throws {Error} if a part with one of the words could not be loaded.
 */
export async function loadWords(
  words: readonly KnownWord[],
  others: readonly string[],
  index: WordIndex<FoundDocument>,
): Promise<void> {
  await index.preload([...words.flatMap(codesToLoad), ...others].join(' '));
  for (const word of words) await checkWord(word, index);
}

function codesToLoad({ entries, hidden }: KnownWord): string[] {
  return [...entries.map(({ word }) => encodeWord(word)), ...hidden.map(({ word }) => encodeHidden(word, false))];
}

async function checkWord({ entries, hidden, text, isPrefix }: KnownWord, index: WordIndex<FoundDocument>): Promise<void> {
  for (const [own, encode] of [[entries, encodeVisible] as const, [hidden, encodeHidden] as const]) {
    if (own.length === 0) continue;
    await checkLoaded(encode(text, isPrefix), Math.max(...own.map(({ documents }) => documents)), index);
    // How many documents have a word with this beginning is not known, so some of the words are checked.
    if (isPrefix) for (const entry of selectToCheck(own)) await checkLoaded(encode(entry.word, false), entry.documents, index);
  }
}

/** Words with more documents are not checked again: that takes time. */
const MAX_CHECKED_DOCUMENTS = 1_000;
const MAX_CHECKED_WORDS = 4;

/** Returns the most frequent ones of the words that can be checked in a short time. */
function selectToCheck(entries: readonly VocabularyWord[]): VocabularyWord[] {
  const rare = entries.filter(({ documents }) => documents <= MAX_CHECKED_DOCUMENTS);
  return rare.sort((a, b) => b.documents - a.documents).slice(0, MAX_CHECKED_WORDS);
}

async function checkLoaded(code: string, documents: number, index: WordIndex<FoundDocument>): Promise<void> {
  if (index.loaded.has(code)) return;
  const { length } = await index.search(code);
  if (length < documents)
    throw new Error(`A part of the search index could not be loaded: ${code} is in ${documents} documents, found ${length}`);
  index.loaded.add(code);
}

function encodeVisible(text: string, isPrefix: boolean): string {
  return isPrefix ? encodePrefix(text) : encodeWord(text);
}

/** Returns the documents that have all words and phrases. */
export async function searchAll<D extends FoundDocument>(
  words: readonly KnownWord[],
  phrases: readonly string[][],
  index: WordIndex<D>,
): Promise<D[]> {
  const visible = words.filter(({ hidden }) => hidden.length === 0);
  const codes = [
    ...visible.map(({ text, isPrefix }) => encodeVisible(text, isPrefix)),
    ...new Set(phrases.flat().map(encodeWord)),
  ];
  let documents = codes.length > 0 ? await index.search(codes.join(' ')) : undefined;
  for (const word of words) if (word.hidden.length > 0) documents = intersect(documents, await searchHidden(word, index));
  for (const phrase of phrases) {
    const inPhrase = new Set((await index.search(`"${phrase.map(encodeWord).join(' ')}"`)).map(({ document }) => document));
    documents = documents?.filter(({ document }) => inPhrase.has(document));
  }
  return documents ?? [];
}

/** Returns the documents that have a word in their visible or hidden texts. */
async function searchHidden<D extends FoundDocument>(
  { entries, text, isPrefix }: KnownWord,
  index: WordIndex<D>,
): Promise<Map<number, D>> {
  const visible = entries.length > 0 ? await index.search(encodeVisible(text, isPrefix)) : [];
  const hidden = await index.search(encodeHidden(text, isPrefix));
  return new Map([...hidden, ...visible].map((found) => [found.document, found]));
}

function intersect<D extends FoundDocument>(documents: readonly D[] | undefined, others: ReadonlyMap<number, D>): D[] {
  if (!documents) return [...others.values()];
  return documents.flatMap((found) => {
    const other = others.get(found.document);
    return other ? [{ ...found, score: found.score + other.score }] : [];
  });
}
