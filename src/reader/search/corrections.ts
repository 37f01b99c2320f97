/** Other queries to try if records lack a word: a name in another spelling, its other number, other hyphens or letters. */
import { foldText } from '../../formats/search/searchable-text.ts';
import { hasNearest, type VocabularyWord } from '../../formats/search/vocabulary.ts';
import type { findInNames } from './load-names.ts';
import type * as spelling from './spelling.ts';
import { replaceWords } from './text-matches.ts';

/** A word of a query, folded, and what is searched or suggested instead. */
export type Correction = Record<'from' | 'to', string>;

/** A query to try, and how it differs from what the reader typed. */
export type CorrectedQuery = NonNullable<Awaited<ReturnType<typeof joinHyphenated>>>;

/** All words that pages show, and what finds those that are near others. */
export type Spelling = typeof spelling & { all: readonly VocabularyWord[] };

/** What is known of words. */
export interface WordLookups {
  loadSpelling: () => Promise<Spelling>;
  /** Whether a text that pages show has a word. */
  hasWord: (word: string) => Promise<boolean>;
  findInNames: typeof findInNames;
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
 * is near nothing. A name is only changed to that of a place if that is the same name in another spelling.
 */
export async function findCorrected(
  typed: string,
  unknown: readonly string[],
  { loadSpelling, hasWord, findInNames }: WordLookups,
): Promise<CorrectedQuery[]> {
  if (QUOTED.test(foldText(typed))) return [];
  const joined = await joinHyphenated(typed, hasWord);
  if (joined || !unknown.some(hasNearest)) return joined ? [joined] : [];
  const spelling = await loadSpelling();
  const candidates = await Promise.all(unknown.map((word) => candidatesFor(word, spelling, findInNames)));
  if (candidates.some(({ length }) => length === 0)) return [];
  return Array.from({ length: Math.max(...candidates.map(({ length }) => length)) }, (_, i) => {
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
  { all, findNearest, findParts, otherNumber, otherRomanizations }: Spelling,
  find: typeof findInNames,
): Promise<string[]> {
  // Of other words, too many spell the same by chance: chime and time.
  const spelled = await Promise.all(otherRomanizations(word, all).map((other) => findName(other, find)));
  const near = findNearest(word, all, MIN_LENGTHS.filter((length) => word.length >= length).length);
  const parts = findParts(word, all, MIN_HYPHENATED);
  const isWord = parts?.every(({ length }) => length > MIN_HYPHENATED);
  const found = new Set([...spelled, ...otherNumber(word, all), parts?.join(isWord ? ' ' : '-')]);
  const others = [...found].filter((other) => other !== undefined);
  if (near === undefined || near[0] !== word[0] || others.includes(near) || (await find(near, 'place'))) return others;
  return [...new Set([...others, (await find(near, 'person')) ?? near])];
}

const findName = async (word: string, find: typeof findInNames) => (await find(word, 'person')) ?? (await find(word, 'place'));

/** Returns for each unknown word its singular or plural, the nearest existing word, or the two words it consists of. */
export async function suggest(unknown: readonly string[], lookups: Omit<WordLookups, 'hasWord'>): Promise<Correction[]> {
  if (!unknown.some(hasNearest)) return [];
  const { all, findNearest, findParts, otherNumber } = await lookups.loadSpelling();
  const suggestions = unknown.filter(hasNearest).map(async (from) => {
    const word = otherNumber(from, all)[0] ?? findNearest(from, all);
    const to = word === undefined ? findParts(from, all)?.join(' ') : ((await findName(word, lookups.findInNames)) ?? word);
    return to === undefined ? [] : [{ from, to }];
  });
  return (await Promise.all(suggestions)).flat();
}
