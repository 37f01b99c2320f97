/** Finds the documents that have all words of a query; if there are none, those with the most. */
import { parseQuery, type QueryWord, type SearchedWords, splitPhrase } from '../../formats/search/parse-query.ts';
import { isUnspaced } from '../../formats/search/searchable-text.ts';
import { isQuestionWord } from '../../formats/search/stop-words.ts';
import { encodeKey, encodeWord, type KeyKind } from '../../formats/search/word-codes.ts';
import { type Correction, findCorrected, type WordLookups } from './corrections.ts';
import { findPartialMatches, type Matches } from './partial-matches.ts';
import { codeOf, type Found, type KnownWord, searchAll, type WordIndex } from './word-index.ts';

/** Documents, and how the search differs from what the reader typed. */
export interface FoundDocuments extends Found {
  /** Returns the words of the query that a document has; undefined if all have the same. */
  matchedBy: ((document: number) => ReadonlySet<string>) | undefined;
  /** Those whose entire ID or title is the query. */
  whole: ReadonlySet<number>;
  /** The words that documents contain: all of them, unless `isPartial`. */
  searched: SearchedWords;
  /** Whether no document has all words, and the documents have different ones. */
  isPartial: boolean;
  /** Words that no document has. */
  unknown: string[];
  /** Words that exist, but that none of the documents has. */
  leftOut: string[];
  /** What was searched instead of words that no record has; nothing if the reader's own words were. */
  corrections: readonly Correction[];
}

/** How far a search follows what a reader typed. */
export interface SearchManner {
  /** Whether words that no record has are not corrected. */
  isExact?: boolean | undefined;
  findInNames?: WordLookups['findInNames'];
}

/** Added to the score of a document whose entire ID, title or name is the query. Scores of words are below 1,000. */
const KEY_SCORES: Readonly<Record<KeyKind, number>> = { id: 1e6, title: 1e5, name: 1e4 };
/** The score of a document in which the words of the query follow each other is multiplied by this. */
const PHRASE_FACTOR = 3;
/** Names have no more words, in general. */
const MAX_NAME_WORDS = 3;
/** With more results, the words are so frequent that a search for them as a phrase takes seconds. */
const MAX_RAISED = 5_000;

const NOTHING: FoundDocuments = {
  documents: new Uint32Array(),
  scores: new Float32Array(),
  matchedBy: undefined,
  whole: new Set(),
  searched: { words: [], phrases: [] },
  isPartial: false,
  unknown: [],
  leftOut: [],
  corrections: [],
};

/** Finds the documents for what a reader typed, with corrected words if it has unknown ones. Undefined if it has no words. */
export async function findDocuments(
  typed: string,
  index: WordIndex,
  loadSpelling: WordLookups['loadSpelling'],
  { isExact = false, findInNames = async () => undefined }: SearchManner = {},
): Promise<FoundDocuments | undefined> {
  const found = await findTyped(typed, index);
  if (!found || isExact || isWhole(found)) return found;
  const hasWord = async (word: string) => (await index.find(encodeWord(word))).isVisible;
  for (const { query, corrections } of await findCorrected(typed, found.unknown, { loadSpelling, hasWord, findInNames })) {
    const corrected = await findTyped(query, index);
    if (corrected && isWhole(corrected)) return { ...corrected, corrections };
  }
  return found;
}

/**
 * Returns the document whose entire ID, title or name is the query, if exactly one has it: a search has it first. It does
 * not wait for the words, but begins to load them.
 */
export async function findWhole(typed: string, index: WordIndex): Promise<number | undefined> {
  preload(typed, index).catch(() => undefined); // the search waits for it
  if (parseQuery(typed).phrases.length > 0) return undefined;
  for (const [code] of [...keysOf(typed)].reverse()) {
    const { documents } = await index.search([code]);
    if (documents.length > 0) return documents.length === 1 ? documents[0] : undefined;
  }
  return undefined;
}

/** Whether there are documents with everything that was searched. */
function isWhole({ documents, unknown, leftOut, isPartial }: FoundDocuments): boolean {
  return documents.length > 0 && unknown.length === 0 && leftOut.length === 0 && !isPartial;
}

/** Loads what a search for the words as they are needs first, at the same time. */
function preload(typed: string, index: WordIndex): Promise<void> {
  const { words, phrases } = parseQuery(typed);
  const keys = keysOf(typed).map(([code]) => code);
  return index.preload([...keys, ...words.map(codeOf), ...phrases.flat().map(encodeWord)]);
}

/** Finds the documents for words as they are. */
async function findTyped(typed: string, index: WordIndex): Promise<FoundDocuments | undefined> {
  const { words, phrases, single, runs } = parseQuery(typed);
  if (words.length === 0 && phrases.length === 0) return undefined;
  const keys = keysOf(typed);
  const phraseWords = phrases.flat();
  await preload(typed, index);
  const { known, unknown: unknownWords } = await resolveWords(words, single, index);
  const inPhrases = await Promise.all(phraseWords.map((text) => index.find(encodeWord(text))));
  const unknownPhraseWords = phraseWords.filter((_, i) => !inPhrases[i]?.isVisible);
  const unknown = [...unknownWords, ...unknownPhraseWords];
  // Not all parts of IDs are words.
  const id = unknown.length > 0 ? encodeKey('id', typed) : undefined;
  const withId = id === undefined ? NOTHING : await index.search([id]);
  if (withId.documents.length > 0) {
    const own = [...new Set(splitPhrase(typed))].map((text) => ({ text, isPrefix: false }));
    return { ...NOTHING, ...withId, whole: new Set(withId.documents), searched: { words: own, phrases: [] } };
  }
  const nothing = { ...NOTHING, unknown };
  if (unknownPhraseWords.length > 0 || (known.length === 0 && phrases.length === 0)) return nothing;
  const found = await findMatches(known, phrases, runs, index);
  if (found.documents.length === 0) return nothing;
  const searched = known.filter(({ text }) => found.combinations?.some((words) => words.has(text)) ?? true);
  const isPartial = !(found.combinations ?? []).every((words) => searched.every(({ text }) => words.has(text)));
  const raised = unknown.length === 0 ? await raiseWholeMatches(typed, keys, found, index) : found;
  const others = known.filter((word) => !searched.includes(word));
  const leftOut = nameMissing(others, searched);
  const { matchedBy } = found;
  return { ...NOTHING, ...raised, matchedBy, searched: { words: searched, phrases }, isPartial, unknown, leftOut };
}

/** Returns the documents with all words and phrases; if there are none, those with the most words. */
async function findMatches(
  known: readonly KnownWord[],
  phrases: readonly string[][],
  runs: readonly string[][],
  index: WordIndex,
): Promise<Matches> {
  // Hidden texts have no order.
  const isOrdered = (pair: string) => known.some((word) => word.text === pair && word.isVisible && !word.isHidden);
  const knownRuns = runs.filter((run) => run.every(isOrdered));
  const found = await searchAll(known, [...phrases, ...knownRuns], index);
  if (found.documents.length > 0 || known.length + phrases.length < 2) return found;
  const required = phrases.length > 0 ? await searchAll([], phrases, index) : undefined;
  const search = (words: readonly KnownWord[]) => {
    const runsOfWords = knownRuns.filter((run) => run.every((pair) => words.some(({ text }) => text === pair)));
    return searchAll(words, [...phrases, ...runsOfWords], index);
  };
  return findPartialMatches(known, search, required, index.total);
}

/**
 * Returns the words that exist. Unknown words of a question are ignored. A code or word in kana with an unknown part is unknown,
 * and a run with an unknown part is only searched for its words.
 */
async function resolveWords(
  words: readonly QueryWord[],
  single: readonly QueryWord[],
  index: WordIndex,
): Promise<{ known: KnownWord[]; unknown: string[] }> {
  const resolved = await Promise.all(words.map(async (word) => ({ word, found: await resolveWord(word, index) })));
  const missing = resolved.flatMap(({ word, found }) => (found ? [] : [word]));
  const [wholes, runs] = [new Set(missing.map(({ whole }) => whole)), new Set(missing.map(({ run }) => run))];
  const isTyped = ({ text }: QueryWord) => words.some((word) => word.text === text);
  const inRuns = single.filter((word) => runs.has(word.run) && !isTyped(word));
  const singles = await Promise.all(inRuns.map((word) => resolveWord(word, index)));
  const known = [
    ...resolved.flatMap(({ word: { whole, run, isJoint = false }, found }) => {
      const isBroken = (whole !== undefined && wholes.has(whole)) || (isJoint && runs.has(run));
      return found && !isBroken ? [found] : [];
    }),
    ...singles.filter((word) => word !== undefined),
  ];
  const unknown = nameMissing([...inRuns.filter((_, i) => singles[i] === undefined), ...missing], known);
  return { known, unknown: known.length === 0 ? unknown : unknown.filter((text) => !isQuestionWord(text)) };
}

/** Returns missing words as a reader knows them: codes as a whole; for pairs, their part of the run, or all of it. */
function nameMissing(missing: readonly QueryWord[], kept: readonly QueryWord[]): string[] {
  const keptRuns = new Set(kept.flatMap(({ run }) => run ?? []));
  const names = missing.flatMap(({ text, whole, run, part }) => {
    if (run === undefined) return whole ?? text;
    return keptRuns.has(run) ? (part ?? []) : run;
  });
  return [...new Set(names)];
}

async function resolveWord(word: QueryWord, index: WordIndex): Promise<KnownWord | undefined> {
  const { isVisible, isHidden } = await index.find(codeOf(word));
  return isVisible || isHidden ? { ...word, isVisible, isHidden } : undefined;
}

/** The codes of what is typed as an entire name, title or ID, the best last, each with what it adds to a score. */
type Keys = ReadonlyArray<readonly [code: string, bonus: number]>;

function keysOf(typed: string): Keys {
  return (['name', 'title', 'id'] as const).flatMap((kind) => {
    // Hardly any ID has no digit, and each code may be in another file of the index.
    const code = kind === 'id' && !/\p{N}/u.test(typed) ? undefined : encodeKey(kind, typed);
    return code === undefined ? [] : [[code, KEY_SCORES[kind]] as const];
  });
}

/** Raises the documents whose ID, title or name is the query, and those in which its words follow each other. */
async function raiseWholeMatches(
  typed: string,
  keys: Keys,
  { documents, scores }: Found,
  index: WordIndex,
): Promise<Found & Pick<FoundDocuments, 'whole'>> {
  const bonuses = new Map<number, number>();
  for (const [code, bonus] of keys) for (const document of (await index.search([code])).documents) bonuses.set(document, bonus);
  const together = new Set<number>();
  const orders = documents.length > MAX_RAISED ? [] : phraseOrders(splitPhrase(typed));
  for (const order of orders) for (const document of await index.findPhrase(order.map(encodeWord))) together.add(document);
  const whole = new Set([...bonuses.keys()].filter((document) => (bonuses.get(document) ?? 0) > KEY_SCORES.name));
  if (bonuses.size === 0 && together.size === 0) return { documents, scores, whole };
  const raise = (score: number, i: number) => {
    const document = documents[i] as number;
    return score * (together.has(document) ? PHRASE_FACTOR : 1) + (bonuses.get(document) ?? 0);
  };
  return { documents, scores: scores.map(raise), whole };
}

/** Returns words as a phrase; a short one also with its last word first, as names are inverted. */
function phraseOrders(words: readonly string[]): string[][] {
  if (words.length < 2) return [];
  const inverted = [words[words.length - 1] as string, ...words.slice(0, -1)];
  const isName = words.length <= MAX_NAME_WORDS && !words.some(isUnspaced);
  return isName ? [[...words], inverted] : [[...words]];
}
