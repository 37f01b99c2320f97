/** Words too frequent to say what a reader looks for. Those that are names, or mean something in another language, are not. */
import { QUESTION_WORDS, STOP_WORDS } from '../../model/text/languages.ts';
import { foldText, splitQueryWords } from './searchable-text.ts';

const allForms = (words: string): Set<string> => new Set([...foldText(words).split(' '), ...splitQueryWords(words)]);
const stopWords: ReadonlySet<string> = allForms(STOP_WORDS);
const questionWords: ReadonlySet<string> = allForms(QUESTION_WORDS);
/** As they are written. */
const written: ReadonlySet<string> = new Set(STOP_WORDS.split(' '));
/** The rest of “d’Arc” or an initial. A single digit or character of Japanese has a meaning. */
const SINGLE_LETTER = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;

/** Returns whether a folded word belongs to the form of a question: a query does without it first. */
export const isQuestionWord = (word: string): boolean => questionWords.has(word);

/** Returns whether a folded word is dropped from a query that has other words. */
export const isStopWord = (word: string): boolean => stopWords.has(word) || SINGLE_LETTER.test(word);

/** Returns the folded words of a text that have accents which the stop word of the same letters has not: Hà in Hà Nội. */
export function findAccented(text: string): Set<string> {
  const words = text.normalize('NFC').match(/[\p{L}\p{M}]{2,}/gu) ?? [];
  const isAccented = (word: string) => /\p{Script=Latin}\p{M}/u.test(word.normalize('NFD')) && !written.has(word.toLowerCase());
  return new Set(words.filter(isAccented).flatMap(splitQueryWords));
}
