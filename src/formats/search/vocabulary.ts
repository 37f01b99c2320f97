/** All words that pages show, sorted, in packs: a search for an unknown word looks among them for those that are near. */
import type { Ranges } from '../pack-format.ts';
import { isUnspaced } from './searchable-text.ts';
import { withoutShared, withShared } from './shared-beginning.ts';

/** A word of the index, folded. */
export interface VocabularyWord {
  word: string;
  /** Number of documents that contain it. */
  documents: number;
}

/** The directory of the packs, in `assets/`. */
export const WORDS_DIRECTORY = 'words';
/** The name of the only entry of each pack. */
export const WORDS_ENTRY = 'words';

/** Returns sorted words, a line each: the length shared with the word before, the rest, and its documents if not 1. */
export function encodeWords(words: readonly VocabularyWord[]): string {
  let previous = '';
  return words
    .map(({ word, documents }) => {
      const line = `${withoutShared(word, previous)}${documents === 1 ? '' : ` ${documents.toString(36)}`}`;
      previous = word;
      return line;
    })
    .join('\n');
}

/** Returns the words from the text that `encodeWords` made. */
export function decodeWords(text: string): VocabularyWord[] {
  if (text === '') return [];
  let previous = '';
  return text.split('\n').map((line) => {
    const [text = '', documents = '1'] = line.split(' ');
    previous = withShared(text, previous);
    return { word: previous, documents: Number.parseInt(documents, 36) };
  });
}

/** Returns all words in the packs of `ranges`, sorted. `loadText` returns the text of a pack. */
export async function readVocabulary(ranges: Ranges, loadText: (pack: string) => Promise<string>): Promise<VocabularyWord[]> {
  return (await Promise.all(ranges.map(async ([, pack]) => decodeWords(await loadText(pack))))).flat();
}

/** A word with a digit is an ID or a year: a similar one is another one. */
export const HAS_DIGIT = /\p{N}/u;
/** Letters of a word that others can be near. */
export const MIN_LENGTH = 3;

/** Returns whether another word can be the nearest one: not for IDs, years, Japanese and very short words. */
export const hasNearest = (typed: string): boolean => typed.length >= MIN_LENGTH && !HAS_DIGIT.test(typed) && !isUnspaced(typed);
