/** Finds documents with only some words of a query, if none has all of them. */
import { isQuestionWord } from './stop-words.ts';
import type { FoundDocument, KnownWord } from './word-index.ts';

/** Words, or the parts of one code, that are searched together. */
interface Unit {
  words: KnownWord[];
  weight: number;
}

/** Of two documents with the same number of words, the one with the year is better, and a word of a question hardly counts. */
const WEIGHTS = { withDigit: 15, plain: 10, question: 1 };

/**
 * Returns the documents with the most words, each with the words that it has. `search` returns the documents that have all words it is given; `required` are those that every
 * document must be among, if any.
 */
export async function findPartialMatches<D extends FoundDocument>(
  words: readonly KnownWord[],
  search: (words: readonly KnownWord[]) => Promise<D[]>,
  required: readonly D[] | undefined,
): Promise<Array<D & { matched: ReadonlySet<string> }>> {
  const found = new Map(required?.map((own) => [own.document, { own, words: new Set<string>(), weight: 0, score: own.score }]));
  for (const unit of toUnits(words)) {
    for (const own of await search(unit.words)) {
      const entry = found.get(own.document) ?? { own, words: new Set<string>(), weight: 0, score: 0 };
      for (const { text } of unit.words) entry.words.add(text);
      entry.weight += unit.weight;
      entry.score += own.score;
      if (!required || found.has(own.document)) found.set(own.document, entry);
    }
  }
  let most = 0;
  for (const { weight } of found.values()) most = Math.max(most, weight);
  return [...found.values()]
    .filter(({ weight }) => weight === most)
    .map(({ own, words: matched, score }) => ({ ...own, score, matched }));
}

function toUnits(words: readonly KnownWord[]): Unit[] {
  const codes = new Map<string, KnownWord[]>();
  for (const word of words) if (word.code !== undefined) codes.set(word.code, [...(codes.get(word.code) ?? []), word]);
  return [
    ...[...codes.values()].map((parts) => ({ words: parts, weight: WEIGHTS.withDigit })),
    ...words.filter(({ code }) => code === undefined).map((word) => ({ words: [word], weight: weightOf(word.text) })),
  ];
}

function weightOf(text: string): number {
  if (isQuestionWord(text)) return WEIGHTS.question;
  return /\p{N}/u.test(text) ? WEIGHTS.withDigit : WEIGHTS.plain;
}
