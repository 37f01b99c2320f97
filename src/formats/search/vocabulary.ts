/** All words that pages show, sorted, in packs: a search for an unknown word looks among them for those that are near. */
import type { Ranges } from '../pack-format.ts';

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

/** Returns all words in the packs of `ranges`, sorted. `loadText` returns the text of a pack. */
export async function readVocabulary(ranges: Ranges, loadText: (pack: string) => Promise<string>): Promise<VocabularyWord[]> {
  return (await Promise.all(ranges.map(async ([, pack]) => decodeWords(await loadText(pack))))).flat();
}
