/** Counts the words of all documents, from those of the parts. */
import type { VocabularyWord } from '../formats/search/vocabulary.ts';

/** Returns the words of the documents of all parts, sorted. */
export function countWords(parts: Iterable<Iterable<VocabularyWord>>): VocabularyWord[] {
  const counts = new Map<string, number>();
  for (const words of parts) for (const { word, documents } of words) counts.set(word, (counts.get(word) ?? 0) + documents);
  return Array.from(counts, ([word, documents]) => ({ word, documents })).sort((a, b) => (a.word < b.word ? -1 : 1));
}
