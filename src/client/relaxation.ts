/** Finds documents with only some words of a query, if none has all of them. */
import { isQuestionWord } from './stop-words.ts';
import type { FoundDocument, KnownWord } from './word-index.ts';

/** Words, or the parts of one code or word in kana, that are searched together. */
interface Unit {
  words: KnownWord[];
  weight: number;
}

/** Of two documents with the same number of words, the one with the year is better, and what is hardly a word hardly counts. */
const WEIGHTS = { withDigit: 15, plain: 10, little: 1 };

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
  const wholes = new Map<string, KnownWord[]>();
  for (const word of words) if (word.whole !== undefined) wholes.set(word.whole, [...(wholes.get(word.whole) ?? []), word]);
  return [
    ...[...wholes].map(([whole, parts]) => ({ words: parts, weight: weightOf({ text: whole }) })),
    ...words.filter(({ whole }) => whole === undefined).map((word) => ({ words: [word], weight: weightOf(word) })),
  ];
}

function weightOf({ text, isJoint = false }: Pick<KnownWord, 'text' | 'isJoint'>): number {
  if (isJoint || isQuestionWord(text)) return WEIGHTS.little;
  return /\p{N}/u.test(text) ? WEIGHTS.withDigit : WEIGHTS.plain;
}
