/** Folds text and splits it into the words that are indexed and searched, for documents in Node and for queries in browsers. */
import { foldLetters } from '../../model/text/fold-letters.ts';
import { CUT, MARKED_SCRIPTS, spell } from './fold-letters.ts';

/** A character with the marks after it, to fold text piece by piece. Half-width katakana have marks, Hangul parts. */
export const CLUSTER = /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\s\S][\p{M}\uff9e\uff9f]*/gu;
/** The clusters that lower case alone does not fold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
const NOT_ASCII = /[\s\S][\p{M}\uff9e\uff9f]+|[^\u0000-\u007f]/gu;
/** A letter whose diacritics are removed, after it was composed. */
const FOLDED_SCRIPT = new RegExp(`^[${MARKED_SCRIPTS}]`, 'u');
const MARKS = /\p{M}+/gu;
// Regular expressions have no lookbehind, which Safari knows since version 16.4.
/** An apostrophe in a word, after its letter, or a letter of the same form, such as the ʻokina of Hawaiian. */
const APOSTROPHE = /([\p{L}\p{N}])['’‘`´′](?=\p{L})|[ʼʻʾʿ]/gu;
const LETTER_LIKE_APOSTROPHE = /[ʼʻʾʿ]/;
/** An apostrophe between letters. The group is what follows, from three letters on: the name after O’, D’ or L’, not “s”. */
const AFTER_APOSTROPHE = /\p{L}['’‘`´′](?=(\p{L}[\p{L}\p{N}\p{M}]{2,}))/gu;
/** The sign of a Hebrew abbreviation in folded text: צה"ל, but not the quotation marks of ב"הארץ". */
const ABBREVIATION = /([א-ת])(?:["“”„]|''|’’)(?=[א-ת](?![א-ת])|[א-ת]+(?![א-ת"“”]))/g;
/** A space without width between such letters, as in می‌روم, and what stands for it: a word is found with and without. */
const NARROW_SPACE = new RegExp(`([${MARKED_SCRIPTS}]\\p{M}{0,30})[\u200b\u200c](?=[${MARKED_SCRIPTS}])`, 'gu');
const JOINT = '\ufdd0';
const WITH_JOINTS = /[\p{L}\p{N}\p{M}\ufdd0]+/gu;
/** The article with which an Arabic word begins, after words of one letter: وبالمدينة. */
export const ARTICLE = /^[وف]?(?:[بك]?ال|لل)(?=[ء-ۓ]{3})/;
/** A word in folded Arabic after an article, or after “and”. */
const AFTER_ARTICLE = /(?:[وف]?(?:[بك]?ال|لل)|و(?!ال))([ء-ۓ]{3,})|[ء-ۓ]+/g;
/** A word in folded text, before runs without spaces are split further. */
export const FOLDED_WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Scripts of East and Southeast Asia without spaces between words, or whose words take endings without a space. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}';
/** Letters of such scripts in sequence, with their marks. */
export const UNSPACED_RUN = new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}]*`, 'gu');
/** Maximum characters of a word. What follows in a longer one, such as a code, is not searched. */
const MAX_WORD_LENGTH = 60;

/** Returns a character with its marks as it is compared: compatible (ＡＢ → ab), lower case, without diacritics (é → e). */
export function foldCluster(cluster: string): string {
  if (cluster === '´') return "'"; // its compatible form is a space with a mark
  const lower = cluster.normalize('NFKC').toLowerCase();
  if (lower.startsWith('ئ')) return 'ئ';
  return foldLetters(FOLDED_SCRIPT.test(lower) ? lower.normalize('NFD').replace(MARKS, '').normalize('NFC') : lower);
}

/** Returns a text in the form that is compared: each character folded, and apostrophes between letters removed. */
export const foldText = (text: string): string => finish(cutSigns(foldCharacters(text)));

/** Returns text with a sign for each narrow space in it that is kept until parts of words are found. It is as long as before. */
export const signNarrowSpaces = (text: string): string =>
  /[\u200b\u200c]/.test(text) ? text.replace(NARROW_SPACE, `$1${JOINT}`) : text;

/**
 * Cuts the signs in words out of folded text: women’s → womens, o’dalaigh → odalaigh, 1930’s → 1930s, ʻiolani → iolani.
 */
export const cutSigns = (folded: string): string =>
  folded
    .replace(APOSTROPHE, (sign, letter = '') => (LETTER_LIKE_APOSTROPHE.test(sign) ? '' : letter).padEnd(sign.length, CUT))
    .replace(ABBREVIATION, (sign, letter: string) => letter.padEnd(sign.length, CUT))
    .replaceAll(JOINT, CUT);

/** Returns the parts of words in folded text that are words too: after an apostrophe, an Arabic article or a narrow space. */
export function findNameParts(folded: string): Array<{ part: string; index: number }> {
  const parts = [AFTER_APOSTROPHE, AFTER_ARTICLE].flatMap((pattern) =>
    [...folded.matchAll(pattern)].flatMap(({ 0: all, 1: part, index }) => {
      const end = index + all.length;
      return part === undefined ? [] : [{ part, index: folded.startsWith(part, end) ? end : end - part.length }];
    }),
  );
  if (!folded.includes(JOINT)) return parts;
  for (const { 0: word, index } of folded.matchAll(WITH_JOINTS)) {
    let at = index;
    for (const part of word.includes(JOINT) ? word.split(JOINT) : []) {
      if (part !== '') parts.push({ part, index: at });
      at += part.length + JOINT.length;
    }
  }
  return parts;
}

function foldCharacters(text: string): string {
  return spell(signNarrowSpaces(text.normalize('NFC')).toLowerCase().replace(NOT_ASCII, foldCluster));
}

const finish = (spelled: string): string => spelled.replaceAll(CUT, '');

/** Returns words to index in addition to `splitWords`: parts of words that are words too (O’Dálaigh → dalaigh). */
export function splitNameParts(text: string): string[] {
  return findNameParts(finish(foldCharacters(text))).flatMap(({ part }) => splitWords(part));
}

/**
 * Returns the words of a text as they are indexed, in its order. Runs without spaces become bigrams, that is overlapping pairs of
 * letters with their marks, and the last letter of each run, so that every single one begins a word (山の灯 → 山の の灯 灯).
 */
export function splitWords(text: string): string[] {
  return splitFolded(foldText(text), (run) => [...pairs(run), run[run.length - 1] as string]);
}

/**
 * Returns a query's words: as for documents, but without the last letter of a longer run, which its last pair contains, and
 * without Arabic articles.
 */
export function splitQueryWords(text: string): string[] {
  const words = splitFolded(foldText(text), (run) => (run.length === 1 ? run : pairs(run)));
  return words.map((word) => word.replace(ARTICLE, ''));
}

/** Returns the letters of a text, each with its marks. */
export const lettersOf = (text: string): string[] => text.match(CLUSTER) ?? [];

/** Returns whether a word is written in a script without spaces. */
export const isUnspaced = (word: string): boolean => new RegExp(UNSPACED_RUN.source, 'u').test(word);

function splitFolded(folded: string, splitRun: (letters: string[]) => string[]): string[] {
  const words: string[] = [];
  for (const [token] of folded.matchAll(FOLDED_WORD)) {
    let end = 0;
    for (const run of token.matchAll(UNSPACED_RUN)) {
      pushWord(token.slice(end, run.index), words);
      for (const word of splitRun(lettersOf(run[0]))) words.push(word);
      end = run.index + run[0].length;
    }
    pushWord(token.slice(end), words);
  }
  return words;
}

function pushWord(text: string, words: string[]): void {
  if (text !== '')
    words.push(text.length > MAX_WORD_LENGTH ? text.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, '') : text);
}

const pairs = (letters: string[]): string[] => letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
