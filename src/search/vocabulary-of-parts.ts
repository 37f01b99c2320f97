/** Counts the words of all documents, from those of the parts. */
import type { VocabularyWord } from '../formats/search/vocabulary.ts';
import type { SearchParts } from './update-parts.ts';

/** Returns the words of the documents of all parts, sorted. */
export function countWords({ parts }: Pick<SearchParts, 'parts'>): VocabularyWord[] {
  const counts = new Map<string, number>();
  for (const { file } of parts) addWords(counts, file.words());
  return toVocabulary(counts);
}

/** Adds the words of a part to the counts of all. */
export function addWords(counts: Map<string, number>, words: Iterable<VocabularyWord>): void {
  for (const { word, documents } of words) counts.set(word, (counts.get(word) ?? 0) + documents);
}

/** Returns words that documents have, sorted. */
export function toVocabulary(counts: ReadonlyMap<string, number>): VocabularyWord[] {
  const words = Array.from(counts, ([word, documents]) => ({ word, documents })).filter(({ documents }) => documents > 0);
  return words.sort((a, b) => (a.word < b.word ? -1 : 1));
}
