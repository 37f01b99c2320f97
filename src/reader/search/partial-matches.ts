/** Finds the documents with the most words of a query, if none has all. */
import { isQuestionWord } from '../../formats/search/stop-words.ts';
import type { Found, KnownWord } from './word-index.ts';

/** Documents with words of a query. */
export interface Matches extends Found {
  matchedBy?: (document: number) => ReadonlySet<string>;
  /** Which words documents have together, if they do not have all of them. */
  combinations?: Array<ReadonlySet<string>>;
}

/** Words, or the parts of one code or word in kana, that are searched together. */
type Unit = ReturnType<typeof toUnits>[number];

/** Of two documents with the same number of words, the one with the year is better, and what is hardly a word hardly counts. */
const WEIGHTS = { withDigit: 15, plain: 10, little: 1 };

/**
 * Returns the documents with the most words. `search` returns the documents that have all words it is given; `required` are those
 * that every document must be among, if any. `total` is the number of documents of the index.
 */
export async function findPartialMatches(
  words: readonly KnownWord[],
  search: (words: readonly KnownWord[]) => Promise<Found>,
  required: Found | undefined,
  total: number,
): Promise<Matches> {
  const { add, scores, combinationOf, weightOf, wordsOf } = createCombinations(total);
  const isWanted = new Uint8Array(total).fill(required ? 0 : 1);
  for (const [i, document] of required?.documents.entries() ?? []) {
    isWanted[document] = 1;
    scores[document] = required?.scores[i] as number;
  }
  for (const unit of toUnits(words)) add(unit, await search(unit.words));
  let most = 0;
  for (let document = 0; document < total; document++) if (isWanted[document] === 1) most = Math.max(most, weightOf(document));
  if (most === 0 && !required) return { documents: new Uint32Array(), scores: new Float32Array() };
  const isFound = (document: number) => isWanted[document] === 1 && weightOf(document) === most;
  const documents = Uint32Array.from({ length: total }, (_, document) => document).filter(isFound);
  const combinations = new Set<number>();
  for (const document of documents) combinations.add(combinationOf(document));
  return {
    documents,
    scores: Float32Array.from(documents, (document) => scores[document] as number),
    matchedBy: (document) => wordsOf(combinationOf(document)),
    combinations: Array.from(combinations, wordsOf),
  };
}

/** Combines the words of documents: those with the same words have the same combination. */
function createCombinations(total: number) {
  const [ofDocuments, scores] = [new Uint32Array(total), new Float32Array(total)];
  /** The combination before a unit was added, that unit, and the weight of all. The first one has no words. */
  const all: Array<{ before: number; unit: Unit | undefined; weight: number }> = [{ before: 0, unit: undefined, weight: 0 }];
  return {
    /** The scores of all words of each document. */
    scores,
    /** Adds the words of a unit to the documents that have them. */
    add(unit: Unit, { documents, scores: own }: Found): void {
      const after = new Map<number, number>();
      for (const [i, document] of documents.entries()) {
        const before = ofDocuments[document] as number;
        const known = after.get(before);
        const next = known ?? all.push({ before, unit, weight: (all[before]?.weight ?? 0) + unit.weight }) - 1;
        if (known === undefined) after.set(before, next);
        ofDocuments[document] = next;
        scores[document] = (scores[document] as number) + (own[i] as number);
      }
    },
    combinationOf: (document: number) => ofDocuments[document] as number,
    weightOf: (document: number) => all[ofDocuments[document] as number]?.weight ?? 0,
    wordsOf(combination: number): ReadonlySet<string> {
      const words = new Set<string>();
      for (let at = combination; at > 0; at = all[at]?.before ?? 0)
        for (const { text } of all[at]?.unit?.words ?? []) words.add(text);
      return words;
    },
  };
}

function toUnits(words: readonly KnownWord[]) {
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
