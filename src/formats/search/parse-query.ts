/** Reads what a reader typed: words, phrases in quotation marks, and the beginning of a word. */
import { foldText, isUnspaced, lettersOf, splitQueryWords, splitWords, UNSPACED_RUN } from './searchable-text.ts';
import { findAccented, isStopWord } from './stop-words.ts';

/** A word of a query, folded. */
export interface QueryWord {
  text: string;
  /** Whether words that begin with it match too: the last word, which may not be complete, and a single Japanese character. */
  isPrefix: boolean;
  /** What it is a part of, of which all parts are required, folded: a code such as `demo-org-1-2` or VDH-0031, or a kana word. */
  whole?: string;
  /** The run of Japanese, Chinese or Korean that this pair is from, and the part of it in one script. */
  run?: string;
  part?: string;
  /** Whether this pair is where two words of its run meet: characters of two scripts. */
  isJoint?: boolean;
}

/** Words and phrases that a search looked for. */
export interface SearchedWords {
  words: QueryWord[];
  phrases: string[][];
}

/** The last word of a query is also the beginning of a word if it has at least this number of characters. */
const MIN_PREFIX_LENGTH = 3;
/** Words joined by signs, such as IDs and call numbers. */
const JOINED = /[\p{Script=Latin}\p{N}]+(?:[-‐‑–_./][\p{Script=Latin}\p{N}]+)+/gu;
/** A joined word of two parts that is a code: letters, and a number other than a year. */
const SHORT_CODE = /^\p{L}+[^\p{L}\p{N}](?!(?:1[5-9]|20)\d\d$)\p{N}+$/u;
const QUOTED = /["“”„]([^"“”„]*)["“”]|«([^«»]*)»|「([^「」]*)」|『([^『』]*)』/gu;
const ENDS_IN_PHRASE = /["“”»」』]\s*$/u;

/** Returns the words and phrases of a query, each word once. Stop words are dropped if anything else remains. */
export function parseQuery(typed: string) {
  // The signs of Hebrew abbreviations are no quotation marks.
  const folded = foldText(typed);
  const quoted = [...folded.matchAll(QUOTED)]
    .map(([, ...texts]) => splitPhrase(texts.find((text) => text !== undefined) ?? ''))
    .filter((words) => words.length > 0);
  const endsInPhrase = ENDS_IN_PHRASE.test(folded);
  const unquoted = folded.replace(QUOTED, ' ');
  const runs = unquoted.match(UNSPACED_RUN) ?? [];
  const placed = new Map<string, PairPlace>();
  for (const [pair, place] of runs.flatMap(placePairs)) {
    const other = placed.get(pair);
    placed.set(pair, other && other.part !== place.part ? commonPlace(other, place) : place);
  }
  const plain = splitCodes(unquoted);
  const all = plain.map(({ text, code }, i): QueryWord => {
    const word = { text, isPrefix: isPrefix(text, i === plain.length - 1 && !endsInPhrase) };
    return code === undefined ? { ...word, ...placed.get(text) } : { ...word, whole: code };
  });
  const phrases = quoted.filter((words) => words.length > 1);
  const exact = quoted.flatMap((words) =>
    words.length === 1 ? [{ text: words[0] as string, isPrefix: isPrefix(words[0] as string, false) }] : [],
  );
  const accented = findAccented(typed);
  const significant = all.filter(({ text }) => accented.has(text) || !isStopWord(text));
  const kept = significant.length > 0 || quoted.length > 0 ? significant : all;
  const ordered = runs.flatMap((run) => [run, ...kanaWords(run)]);
  const pairs = new Map(ordered.map((text) => [text, splitPhrase(text)]));
  return {
    words: unique([...exact, ...kept]),
    /** Words that must follow each other. */
    phrases,
    /** The words of one character in runs. The pairs contain them, as long as all pairs of the run exist. */
    single: runs.flatMap(singleWords),
    /** The pairs of each run of Japanese, Chinese or Korean, and of each kana word; documents with it have them in sequence. */
    runs: [...pairs.values()].filter(({ length }) => length > 1),
  };
}

/**
 * A part of a run that is a word, as its script shows: Japanese has no spaces. Long vowels belong to what is before them, and the
 * kana of names such as 関ケ原 and 虎ノ門 to the characters around them.
 */
const SCRIPT_PARTS =
  /[\p{Script=Katakana}ー]+|\p{Script=Hiragana}[\p{Script=Hiragana}ー]*|(?:[^\p{Script=Katakana}\p{Script=Hiragana}ー](?:[ノケカガツ](?=\p{Script=Han}))?)+/gu;
const KANA_WORD = /^[\p{Script=Katakana}\p{Script=Hiragana}ー]{3,}$/u;
/** A run in a script of Southeast Asia or Tibet. Nothing shows where its words begin. */
const SYLLABIC_RUN = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{M}]{3,}$/u;

/** Returns the words in kana, Thai and so on of more than one pair: without one of its pairs, such a word is another word. */
const kanaWords = (run: string): string[] => (run.match(SCRIPT_PARTS) ?? []).filter(isOneWord);

const isOneWord = (part: string): boolean => KANA_WORD.test(part) || SYLLABIC_RUN.test(part);

/** Returns the words of one character in a run: 港 in 港のフェリー. One in kana is hardly a word. */
function singleWords(run: string): QueryWord[] {
  const parts = run.match(SCRIPT_PARTS) ?? [];
  const single = parts.length > 1 ? parts.filter((part) => /^\p{Script=Han}$/u.test(part)) : [];
  return single.map((text) => ({ text, isPrefix: true, run, part: text }));
}

/** What a pair is a part of. */
type PairPlace = Pick<QueryWord, 'whole' | 'part' | 'isJoint'> & { run: string };

/** Returns the place of a pair that two different parts have: in kana, the shorter word, which the longer one may contain. */
function commonPlace(a: PairPlace, b: PairPlace): PairPlace {
  if (a.whole === undefined || b.whole === undefined) return { run: b.run };
  return a.whole.length <= b.whole.length ? a : b;
}

/** Returns the pairs of a run, each with what it is a part of. */
function placePairs(run: string): Array<[pair: string, place: PairPlace]> {
  const parts = run.match(SCRIPT_PARTS) ?? [];
  const within = parts.flatMap((part) => {
    const place = { run, part, ...(isOneWord(part) ? { whole: part } : {}) };
    return splitQueryWords(part).map((pair): [string, PairPlace] => [pair, place]);
  });
  const known = new Set(within.map(([pair]) => pair));
  const joints = splitQueryWords(run).filter((pair) => !known.has(pair));
  return [...joints.map((pair): [string, PairPlace] => [pair, { run, isJoint: true }]), ...within];
}

/** Returns the words of a phrase as they follow each other in documents, without the last character of a run at its end. */
export function splitPhrase(text: string): string[] {
  const words = splitWords(text);
  const [last = ''] = splitQueryWords(text).slice(-1);
  return isUnspaced(last) && last !== words[words.length - 1] ? words.slice(0, -1) : words;
}

/** Returns the words of folded text, in its order, each with the code that it is a part of. */
function splitCodes(folded: string): Array<{ text: string; code: string | undefined }> {
  const codes = [...folded.matchAll(JOINED)].filter(([joined]) => isCode(joined));
  const ends = codes.map(({ 0: code, index }) => index + code.length);
  const wordsOf = (text: string, code?: string) => splitQueryWords(text).map((word) => ({ text: word, code }));
  const pieces = codes.flatMap(({ 0: code, index }, i) => [
    ...wordsOf(folded.slice(ends[i - 1] ?? 0, index)),
    ...wordsOf(code, code),
  ]);
  return [...pieces, ...wordsOf(folded.slice(ends[ends.length - 1] ?? 0))];
}

function isCode(joined: string): boolean {
  const parts = joined.split(/[^\p{L}\p{N}]+/u);
  return /\p{L}/u.test(joined) && /\p{N}/u.test(joined) && (parts.length > 2 || SHORT_CODE.test(joined));
}

/** Returns whether a query's word matches all words that begin with it. `isLast`: it is the last one, perhaps incomplete. */
export function isPrefix(text: string, isLast: boolean): boolean {
  const { length } = lettersOf(text);
  return isUnspaced(text) ? length === 1 : isLast && length >= MIN_PREFIX_LENGTH;
}

/** Returns each word once. A word that must match as a whole and as a prefix must match as a whole. */
function unique(words: QueryWord[]): QueryWord[] {
  const exact = new Set(words.filter((word) => !word.isPrefix).map(({ text }) => text));
  const byText = new Map(words.map((word) => [word.text, { ...word, isPrefix: word.isPrefix && !exact.has(word.text) }]));
  return [...byText.values()];
}
