/** Words that are too frequent to say what a reader looks for. Words that are also names, or mean something in the other language, are not listed. */

const ENGLISH =
  'a an and are as at be been but by did do does for from had has have he her him his i in into is it its me my no not of off on or our ' +
  'she so than that the their them then there these they this to up was we were with would you your';
const SPANISH =
  'al como con cual cuando de del desde donde el ella ellas ellos en es esa ese eso esta este esto estos fue fueron ha han hasta la ' +
  'las le les lo los me muy ni nos o para pero por que se ser si sobre su sus tambien te tu un una unas uno unos y ya';
const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${SPANISH}`.split(' '));
/** Words of questions. They are searched as others are, but are the first that a query does without. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  (
    'about after against before between during how what when where which while who whom whose why ' +
    'acerca antes contra despues durante entre quien quienes cual cuales cuanto cuanta cuantos cuantas hay sin'
  ).split(' '),
);
/** The rest of “d’Arc” or an initial. A single digit or character of Japanese has a meaning. */
const SINGLE_LETTER = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;

/** Returns whether a folded word belongs to the form of a question, and hardly to what a reader looks for. */
export function isQuestionWord(word: string): boolean {
  return QUESTION_WORDS.has(word);
}

/** Returns whether a folded word is dropped from a query that has other words. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word) || SINGLE_LETTER.test(word);
}
