/** Words too frequent to say what a reader looks for. Those that are names, or mean something in another language, are not. */
import { QUESTION_WORDS, STOP_WORDS } from '../../model/text/languages.ts';

const stopWords: ReadonlySet<string> = new Set(STOP_WORDS.split(' '));
const questionWords: ReadonlySet<string> = new Set(QUESTION_WORDS.split(' '));
/** The rest of “d’Arc” or an initial. A single digit or character of Japanese has a meaning. */
const SINGLE_LETTER = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;

/** Returns whether a folded word belongs to the form of a question: a query does without it first. */
export const isQuestionWord = (word: string): boolean => questionWords.has(word);

/** Returns whether a folded word is dropped from a query that has other words. */
export const isStopWord = (word: string): boolean => stopWords.has(word) || SINGLE_LETTER.test(word);
