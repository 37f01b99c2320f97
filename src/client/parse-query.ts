/** Reads what a reader typed: words, phrases in quotation marks, and the beginning of a word. */
import { isCjk, splitQueryWords, splitWords } from './searchable-text.ts';
import { isStopWord } from './stop-words.ts';

/** A word of a query, folded. */
export interface QueryWord {
  text: string;
  /** Whether words that begin with it match too: the last word, which may not be complete, and a single Japanese character. */
  isPrefix: boolean;
}

/** The words and phrases of a query. A document must have all of them. */
export interface ParsedQuery {
  words: QueryWord[];
  /** Words that must follow each other. */
  phrases: string[][];
}

/** The last word of a query is also the beginning of a word if it has at least this number of characters. */
const MIN_PREFIX_LENGTH = 3;
const QUOTED = /["“”„]([^"“”„]*)["“”]/gu;

/** Returns the words and phrases of a query, each word once. Stop words are dropped if anything else remains. */
export function parseQuery(typed: string): ParsedQuery {
  const quoted = [...typed.matchAll(QUOTED)].map(([, text = '']) => splitPhrase(text)).filter((words) => words.length > 0);
  const endsInPhrase = /["“”]\s*$/u.test(typed);
  const plain = splitQueryWords(typed.replace(QUOTED, ' '));
  const all = plain.map((text, i): QueryWord => ({ text, isPrefix: isPrefix(text, i === plain.length - 1 && !endsInPhrase) }));
  const phrases = quoted.filter((words) => words.length > 1);
  const exact = quoted.flatMap((words) =>
    words.length === 1 ? [{ text: words[0] as string, isPrefix: isPrefix(words[0] as string, false) }] : [],
  );
  const significant = all.filter(({ text }) => !isStopWord(text));
  const kept = significant.length > 0 || quoted.length > 0 ? significant : all;
  return { words: unique([...exact, ...kept]), phrases };
}

/** Returns the words of a phrase as they follow each other in documents, without the last character of a run at its end. */
export function splitPhrase(text: string): string[] {
  const words = splitWords(text);
  const [last = ''] = splitQueryWords(text).slice(-1);
  return isCjk(last) && last !== words.at(-1) ? words.slice(0, -1) : words;
}

function isPrefix(text: string, isLast: boolean): boolean {
  const length = [...text].length;
  return isCjk(text) ? length === 1 : isLast && length >= MIN_PREFIX_LENGTH;
}

/** Returns each word once. A word that must match as a whole and as a prefix must match as a whole. */
function unique(words: QueryWord[]): QueryWord[] {
  const exact = new Set(words.filter((word) => !word.isPrefix).map(({ text }) => text));
  const byText = new Map(words.map(({ text, isPrefix }) => [text, { text, isPrefix: isPrefix && !exact.has(text) }]));
  return [...byText.values()];
}
