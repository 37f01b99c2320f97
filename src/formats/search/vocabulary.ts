/**
 * The vocabulary of a search index: all its words, sorted, in packs that a search loads as needed. With it, search knows which
 * words exist and which words begin with others, independently of how the index is divided.
 */
import { cached } from '../cached.ts';
import type { Ranges } from '../pack-format.ts';
import { openSortedPacks } from './sorted-packs.ts';

/** A word of the index, folded; of text that no page may show, after a sign. */
export interface VocabularyWord {
  word: string;
  /** Number of documents that contain it. */
  documents: number;
}

/** The vocabulary. All functions reject if a pack cannot be loaded. */
export type Vocabulary = ReturnType<typeof createVocabulary>;

/** Precedes words of text that no page may show. No folded word has it. */
const HIDDEN_SIGN = '#';

/** Returns the entry of the vocabulary for a word of text that no page may show. */
export function hiddenEntry(word: string): string {
  return HIDDEN_SIGN + word;
}

/** The directory of the packs, in `assets/`. */
export const WORDS_DIRECTORY = 'words';
/** The name of the only entry of each pack. */
export const WORDS_ENTRY = 'words';
/** A shared beginning is given as one digit in base 36. */
const MAX_SHARED = 35;

/** Returns sorted words, a line each: the length shared with the word before, the rest, and its documents if not 1. */
export function encodeWords(words: readonly VocabularyWord[]): string {
  let previous = '';
  return words
    .map(({ word, documents }) => {
      let shared = 0;
      while (shared < MAX_SHARED && shared < word.length && word[shared] === previous[shared]) shared++;
      // A pair of surrogates is one character, and the text becomes UTF-8.
      if (/[\ud800-\udbff]/.test(word[shared - 1] ?? '')) shared--;
      previous = word;
      return `${shared.toString(36)}${word.slice(shared)}${documents === 1 ? '' : ` ${documents.toString(36)}`}`;
    })
    .join('\n');
}

/** Returns the words from the text that `encodeWords` made. */
export function decodeWords(text: string): VocabularyWord[] {
  if (text === '') return [];
  let previous = '';
  return text.split('\n').map((line) => {
    const [rest = '', documents = '1'] = line.slice(1).split(' ');
    previous = previous.slice(0, Number.parseInt(line[0] ?? '0', 36)) + rest;
    return { word: previous, documents: Number.parseInt(documents, 36) };
  });
}

/** Returns the vocabulary in the packs of `ranges`. `loadText` returns the text of a pack. */
export function createVocabulary(ranges: Ranges, loadText: (pack: string) => Promise<string>) {
  const packs = openSortedPacks(ranges, loadText, decodeWords);
  const listAll = cached(1, async () => (await packs.all()).filter(({ word }) => !word.startsWith(HIDDEN_SIGN)));
  const find = async (word: string) => (await packs.at(word)).find((other) => other.word === word);
  const findByPrefix = async (prefix: string) => (await packs.from(prefix)).filter(({ word }) => word.startsWith(prefix));
  return {
    /** Returns the word, if it is in the index. */
    find,
    /** Returns all words that begin with `prefix`, sorted. */
    findByPrefix,
    /** Returns the words of texts that no page may show which are this one, or begin with it. */
    findHidden: async (text: string, isPrefix: boolean) => {
      const entry = hiddenEntry(text);
      const found = isPrefix ? await findByPrefix(entry) : [await find(entry)].filter((word) => word !== undefined);
      return found.map((own) => ({ ...own, word: own.word.slice(HIDDEN_SIGN.length) }));
    },
    /** Returns all words, sorted, without those of texts that no page may show. Loads everything. */
    listAll: () => listAll(''),
  };
}
