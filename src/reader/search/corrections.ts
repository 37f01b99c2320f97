/** Other queries to try if records lack a word: a name in another spelling, its other number, other hyphens or letters. */
import { foldText } from '../../formats/search/searchable-text.ts';
import type { VocabularyWord } from '../../formats/search/vocabulary.ts';
import type { Named } from './load-names.ts';
import { findNearest, findParts, hasNearest, otherNumbers, toOneRomanization } from './spelling.ts';
import { replaceWords } from './text-matches.ts';

/** A word of a query, folded, and what is searched or suggested instead. */
export interface Correction {
  from: string;
  to: string;
}

/** A query to try, and how it differs from what the reader typed. */
export type CorrectedQuery = NonNullable<Awaited<ReturnType<typeof joinHyphenated>>>;

/** Returns all words that pages show, with the number of documents of each. */
export type ListWords = () => Promise<readonly VocabularyWord[]>;

/** What is known of words. */
export interface WordLookups {
  listWords: ListWords;
  /** Whether a text that pages show has a word. */
  hasWord: (word: string) => Promise<boolean>;
  /** Returns a word as names have it. */
  findInNames: (word: string, named: Named) => Promise<string | undefined>;
}

/** Words that a reader joined with a hyphen. Without lookbehind, which Safari knows since version 16.4. */
const HYPHENATED = /[\p{L}\p{M}]{2,}[-‐‑–][\p{L}\p{M}]{2,}(?![\p{L}\p{M}\p{N}-])/gu;
/** Words in quotation marks are meant as they are. */
const QUOTED = /["“”„«»「」『』]/;
/** Letters before and after a hyphen, as in “co-op”. */
const MIN_HYPHENATED = 2;
/** A word of this length may lack a letter, and a longer one two; a shorter word is too often another one. */
const MIN_LENGTHS = [6, 9];

/**
 * Returns the queries to try instead of `typed`, of which each word in `unknown` is in no record; the best first. None if a word
 * is near nothing. A name is not changed to that of a place.
 */
export async function findCorrected(
  typed: string,
  unknown: readonly string[],
  { listWords, hasWord, findInNames }: WordLookups,
): Promise<CorrectedQuery[]> {
  if (QUOTED.test(typed)) return [];
  const joined = await joinHyphenated(typed, hasWord);
  if (joined || !unknown.some(hasNearest)) return joined ? [joined] : [];
  const all = await listWords();
  const candidates = await Promise.all(unknown.map((word) => candidatesFor(word, all, findInNames)));
  if (candidates.some(({ length }) => length === 0)) return [];
  const most = Math.max(...candidates.map(({ length }) => length));
  return Array.from({ length: most }, (_, i) => {
    const corrections = unknown.map((from, n) => ({ from, to: (candidates[n]?.[i] ?? candidates[n]?.[0]) as string }));
    // The parts of a word must follow each other.
    const replacements = corrections.map(({ from, to }) => ({ from, to: /[ -]/.test(to) ? `"${to}"` : to }));
    return { query: replaceWords(typed, replacements), corrections };
  });
}

/** Returns the query with hyphenated words joined, if records have these; undefined if they have none. */
async function joinHyphenated(typed: string, hasWord: WordLookups['hasWord']) {
  const words = [...new Set(typed.match(HYPHENATED) ?? [])].map((from) => ({
    from,
    to: foldText(from.replace(/[^\p{L}\p{M}]/gu, '')),
  }));
  const found = await Promise.all(words.map(({ to }) => hasWord(to)));
  const corrections = words.filter((_, i) => found[i]);
  if (corrections.length === 0) return undefined;
  return { query: corrections.reduce((query, { from, to }) => query.replaceAll(from, to), typed), corrections };
}

async function candidatesFor(
  word: string,
  all: readonly VocabularyWord[],
  findInNames: WordLookups['findInNames'],
): Promise<string[]> {
  const romanized = toOneRomanization(word);
  const spellings = all.filter(
    (other) => Math.abs(other.word.length - word.length) <= 2 && toOneRomanization(other.word) === romanized,
  );
  const names = await Promise.all(spellings.map((other) => findInNames(other.word, 'person')));
  const near = findNearest(word, all, MIN_LENGTHS.filter((length) => word.length >= length).length);
  const parts = findParts(word, all, MIN_HYPHENATED);
  const isWord = parts?.every(({ length }) => length > MIN_HYPHENATED);
  const others = [
    ...names.filter((name) => name !== undefined),
    ...otherNumber(word, all),
    ...(parts ? [parts.join(isWord ? ' ' : '-')] : []),
  ];
  if (near === undefined || near[0] !== word[0] || others.includes(near) || (await findInNames(near, 'place'))) return others;
  return [...others, near];
}

/** Returns for each unknown word its singular or plural, the nearest existing word, or the two words it consists of. */
export async function suggest(unknown: readonly string[], listWords: ListWords): Promise<Correction[]> {
  if (!unknown.some(hasNearest)) return [];
  const all = await listWords();
  return unknown.filter(hasNearest).flatMap((from) => {
    const to = otherNumber(from, all)[0] ?? findNearest(from, all) ?? findParts(from, all)?.join(' ');
    return to === undefined ? [] : [{ from, to }];
  });
}

/** Returns the most frequent word that is the singular or plural of a word, if there is one. */
function otherNumber(word: string, all: readonly VocabularyWord[]): string[] {
  const forms = new Set(otherNumbers(word));
  const existing = all.filter((other) => forms.has(other.word)).sort((a, b) => b.documents - a.documents);
  return existing.slice(0, 1).map((other) => other.word);
}
