/**
 * Finds the documents that have all words of a query. The vocabulary decides which words exist; Pagefind only gets words that do, in the
 * codes of word-codes.ts, so that the results do not depend on how its index is divided.
 */
import { parseQuery, type QueryWord, splitPhrase } from './parse-query.ts';
import { isCjk } from './searchable-text.ts';
import { findNearest, otherNumbers } from './spelling.ts';
import type { Vocabulary, VocabularyWord } from './vocabulary.ts';
import { encodeKey, encodePrefix, encodeWord, type KeyKind } from './word-codes.ts';

/** A document that was found. */
export interface FoundDocument {
  id: string;
  /** Higher is better. */
  score: number;
}

/** What is needed of Pagefind. `codes` are separated by spaces; in quotation marks, they must follow each other. */
export interface WordIndex<D extends FoundDocument> {
  /** The codes that were loaded, which this module fills. */
  loaded: Set<string>;
  /** Loads the parts of the index that contain these words. */
  preload(codes: string): Promise<void>;
  search(codes: string): Promise<D[]>;
}

/** Words that a search looked for. */
export interface SearchedWords {
  words: QueryWord[];
  phrases: string[][];
}

/** Documents, and how the search differs from what the reader typed. */
export interface FoundDocuments<D extends FoundDocument> {
  /** In no particular order. */
  documents: D[];
  /** The words that the documents contain. */
  searched: SearchedWords;
  /** Words that no document has, without those that were replaced. */
  unknown: string[];
  /** Words that documents have, but none together with the other words: they were left out. */
  leftOut: string[];
  /** Words that no document has, and the same words in another number, which were searched instead. */
  replaced: Array<{ from: string; to: string }>;
  /** The unknown words that have a similar one. */
  suggestions: Array<{ from: string; to: string }>;
}

/** Added to the score of a document whose entire ID, title or name is the query. Scores of words are below 1,000. */
const KEY_SCORES: Readonly<Record<KeyKind, number>> = { id: 1e6, title: 1e5, name: 1e4 };
/** The score of a document in which the words of the query follow each other is multiplied by this. */
const PHRASE_FACTOR = 2;
/** Names have no more words, in general. */
const MAX_NAME_WORDS = 3;

interface KnownWord extends QueryWord {
  /** Number of documents, to leave out the most frequent words first; of several words that begin with it, their total. */
  documents: number;
  /** A search for it finds at least this number of documents. */
  minDocuments: number;
  /** All words that begin with it, if it is a prefix. */
  expansions: readonly VocabularyWord[];
}

/** Finds the documents for what a reader typed. Undefined if that has no words. */
export async function findDocuments<D extends FoundDocument>(
  typed: string,
  index: WordIndex<D>,
  vocabulary: Vocabulary,
): Promise<FoundDocuments<D> | undefined> {
  const { words, phrases } = parseQuery(typed);
  if (words.length === 0 && phrases.length === 0) return undefined;
  const resolved = await Promise.all(words.map((word) => resolveWord(word, vocabulary)));
  const known = resolved.flatMap(({ found }) => found ?? []);
  const replaced = resolved.flatMap(({ found, typed: word }) =>
    found && found.text !== word ? [{ from: word, to: found.text }] : [],
  );
  const phraseWords = await findAll(phrases.flat(), vocabulary);
  const unknownPhraseWords = phrases.flat().filter((text) => !phraseWords.some(({ word }) => word === text));
  const unknown = [...resolved.flatMap(({ found, typed: word }) => (found ? [] : [word])), ...unknownPhraseWords];
  const suggestions = await suggest(unknown, vocabulary);
  const nothing = { documents: [], searched: { words: [], phrases: [] }, unknown, leftOut: [], replaced: [], suggestions };
  if (unknownPhraseWords.length > 0 || (known.length === 0 && phrases.length === 0)) return nothing;

  const inPhrases = phraseWords.map((each) => toKnownWord({ text: each.word, isPrefix: false }, [each]));
  for (const word of [...known, ...inPhrases]) await loadWord(word, index);
  const search = (selected: readonly KnownWord[]) => searchAll(selected, phrases, index);
  let searched = known;
  let documents = await search(known);
  if (documents.length === 0 && known.length + phrases.length > 1)
    [searched, documents] = await relax(known, search, phrases.length > 0);
  if (documents.length === 0) return nothing;
  if (unknown.length === 0) documents = await raiseWholeMatches(typed, documents, index);
  const leftOut = known.filter((word) => !searched.includes(word)).map(({ text }) => text);
  return { documents, searched: { words: searched, phrases }, unknown, leftOut, replaced, suggestions };
}

/** Returns a word as it exists in the vocabulary, or in its other number. */
async function resolveWord(word: QueryWord, vocabulary: Vocabulary): Promise<{ typed: string; found: KnownWord | undefined }> {
  const { text, isPrefix } = word;
  const expansions = isPrefix ? await vocabulary.findByPrefix(text) : await findAll([text], vocabulary);
  if (expansions.length > 0) return { typed: text, found: toKnownWord(word, expansions) };
  const forms = (await findAll(otherNumbers(text), vocabulary)).filter(({ documents }) => documents > 0);
  const [form] = forms.sort((a, b) => b.documents - a.documents);
  return { typed: text, found: form && toKnownWord({ text: form.word, isPrefix: false }, [form]) };
}

function toKnownWord(word: QueryWord, expansions: readonly VocabularyWord[]): KnownWord {
  const counts = expansions.map(({ documents }) => documents);
  const total = counts.reduce((previous, documents) => previous + documents, 0);
  return { ...word, documents: total, minDocuments: Math.max(...counts), expansions };
}

async function findAll(words: readonly string[], vocabulary: Vocabulary): Promise<VocabularyWord[]> {
  return (await Promise.all(words.map((word) => vocabulary.find(word)))).filter((match) => match !== undefined);
}

/**
 * Loads the parts of the index with a word. Pagefind finds the words that begin with a prefix only in what is loaded, and ignores a part that it
 * cannot load.
 * @throws {Error} if a part could not be loaded.
 */
async function loadWord(word: KnownWord, index: WordIndex<FoundDocument>): Promise<void> {
  const code = codeOf(word);
  if (index.loaded.has(code)) return;
  if (word.isPrefix) await index.preload(word.expansions.map(({ word: each }) => encodeWord(each)).join(' '));
  const { length } = await index.search(code);
  if (length < word.minDocuments)
    throw new Error(
      `A part of the search index could not be loaded: ${code} is in ${word.minDocuments} documents, found ${length}`,
    );
  index.loaded.add(code);
}

function codeOf({ text, isPrefix }: QueryWord): string {
  return isPrefix ? encodePrefix(text) : encodeWord(text);
}

async function searchAll<D extends FoundDocument>(
  words: readonly KnownWord[],
  phrases: readonly string[][],
  index: WordIndex<D>,
): Promise<D[]> {
  const codes = [...words.map(codeOf), ...new Set(phrases.flat().map(encodeWord))];
  let documents = await index.search(codes.join(' '));
  for (const phrase of phrases) {
    const inPhrase = new Set((await index.search(`"${phrase.map(encodeWord).join(' ')}"`)).map(({ id }) => id));
    documents = documents.filter(({ id }) => inPhrase.has(id));
  }
  return documents;
}

/** Leaves out words until documents have all others: starts with the rarest word, and adds the others unless that leaves nothing. */
async function relax<D extends FoundDocument>(
  known: readonly KnownWord[],
  search: (words: readonly KnownWord[]) => Promise<D[]>,
  hasPhrases: boolean,
): Promise<[words: KnownWord[], documents: D[]]> {
  let words: KnownWord[] = [];
  let documents = hasPhrases ? await search([]) : [];
  for (const word of [...known].sort((a, b) => a.documents - b.documents)) {
    const narrower = await search([...words, word]);
    if (narrower.length === 0) continue;
    words = [...words, word];
    documents = narrower;
  }
  return [known.filter((word) => words.includes(word)), documents];
}

/** Raises the documents whose ID, title or name is the query, and those in which its words follow each other. */
async function raiseWholeMatches<D extends FoundDocument>(typed: string, documents: D[], index: WordIndex<D>): Promise<D[]> {
  const bonuses = new Map<string, number>();
  for (const kind of ['name', 'title', 'id'] as const) {
    const key = encodeKey(kind, typed);
    if (key !== undefined) for (const { id } of await index.search(key)) bonuses.set(id, KEY_SCORES[kind]);
  }
  const together = new Set<string>();
  for (const order of phraseOrders(splitPhrase(typed)))
    for (const { id } of await index.search(`"${order.map(encodeWord).join(' ')}"`)) together.add(id);
  return documents.map((document) => {
    const factor = together.has(document.id) ? PHRASE_FACTOR : 1;
    return { ...document, score: document.score * factor + (bonuses.get(document.id) ?? 0) };
  });
}

/** Returns words as a phrase; a short one also with its last word first, as names are inverted. */
function phraseOrders(words: readonly string[]): string[][] {
  if (words.length < 2) return [];
  const inverted = [words.at(-1) as string, ...words.slice(0, -1)];
  const isName = words.length <= MAX_NAME_WORDS && !words.some(isCjk);
  return isName ? [[...words], inverted] : [[...words]];
}

/** Returns the nearest existing word of each unknown word. */
async function suggest(unknown: readonly string[], vocabulary: Vocabulary): Promise<Array<{ from: string; to: string }>> {
  if (unknown.length === 0) return [];
  const all = await vocabulary.listAll();
  return unknown.flatMap((from) => {
    const to = findNearest(from, all);
    return to === undefined ? [] : [{ from, to }];
  });
}
