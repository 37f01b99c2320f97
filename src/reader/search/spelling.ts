/** Finds the existing word that is nearest to one that does not exist, and its singular or plural. */
import { isUnspaced } from '../../formats/search/searchable-text.ts';
import { HAS_DIGIT, hasNearest, MIN_LENGTH, type VocabularyWord } from '../../formats/search/vocabulary.ts';
import { editDistance } from '../../model/text/edit-distance.ts';
import { ENDINGS } from '../../model/text/languages.ts';

/** Readers seldom have the first letter wrong: a word with another one has at most so many edits. */
const MAX_EDITS_OF_FIRST = 1;

/**
 * Returns the word of `words` that a reader who typed `typed` most probably meant: with the fewest edits, then with the same
 * first letter, then the most frequent one. Undefined if none has at most `limit` edits.
 */
export function findNearest(
  typed: string,
  words: readonly VocabularyWord[],
  limit = typed.length <= 5 ? 1 : typed.length <= 8 ? 2 : 3,
): string | undefined {
  if (!hasNearest(typed)) return undefined;
  let nearest: { word: string; distance: number; rank: number } | undefined;
  for (const { word, documents } of words) {
    if (word === typed || Math.abs(word.length - typed.length) > limit) continue;
    if (word.length < MIN_LENGTH || HAS_DIGIT.test(word)) continue;
    const distance = editDistance(typed, word, nearest?.distance ?? limit);
    if (distance > (word[0] === typed[0] ? limit : MAX_EDITS_OF_FIRST)) continue;
    const rank = (word[0] === typed[0] ? 1e9 : 0) + documents;
    if (!nearest || distance < nearest.distance || (distance === nearest.distance && rank > nearest.rank))
      nearest = { word, distance, rank };
  }
  return nearest?.word;
}

/** Letters of each of two words that were written as one. */
const MIN_PART = 3;

/**
 * Returns two of `words` that make `typed` (boardinghouse → boarding house): the pair whose rarer word is most frequent; or
 * undefined. `min`: letters of each.
 */
export function findParts(typed: string, words: readonly VocabularyWord[], min = MIN_PART): [string, string] | undefined {
  if (typed.length < 2 * min || !hasNearest(typed)) return undefined;
  const counts = new Map(words.map(({ word, documents }) => [word, documents]));
  let best: { parts: [string, string]; documents: number } | undefined;
  for (let at = min; at <= typed.length - min; at++) {
    const parts: [string, string] = [typed.slice(0, at), typed.slice(at)];
    const documents = Math.min(...parts.map((part) => counts.get(part) ?? 0));
    if (documents > (best?.documents ?? 0)) best = { parts, documents };
  }
  return best?.parts;
}

/** Pairs of endings, of one thing and of several; longer ones first. */
const endings = [...new Set(ENDINGS.split(' '))]
  .map((pair) => pair.split('/') as [one: string, several: string])
  .sort(([, a], [, b]) => b.length - a.length);
const MIN_STEM = 2;

/** Returns the singular forms that a word may be the plural of, and its possible plurals. Most of them are not words. */
export function otherNumbers(word: string): string[] {
  if (HAS_DIGIT.test(word) || isUnspaced(word)) return [];
  const exchange = (from: string, to: string) =>
    word.endsWith(from) && word.length - from.length >= MIN_STEM ? [word.slice(0, word.length - from.length) + to] : [];
  const forms = endings.flatMap(([one, several]) => [...exchange(several, one), ...exchange(one, several)]);
  return [...new Set(forms)].filter((form) => form.length > MIN_STEM && form !== word);
}

/** Returns the most frequent word that is the singular or plural of a word, if there is one. */
export function otherNumber(word: string, all: readonly VocabularyWord[]): string[] {
  const forms = new Set(otherNumbers(word));
  const existing = all.filter((other) => forms.has(other.word)).sort((a, b) => b.documents - a.documents);
  return existing.slice(0, 1).map((other) => other.word);
}

/** What Japanese names have in other spellings of Latin letters: Ohta, Oota, Ota; Uyeda, Ueda; Honma, Homma; Syozo, Shozo. */
const SOUNDS: Readonly<Record<string, string>> = { ye: 'e', n: 'm', ch: 't', f: 'h', j: 'z', sy: 'sh', ty: 'ch', zy: 'j' };
const SOUND = /[ou]h(?![aeiouy])|oo|ou|uu|ye|n(?=[bmp])|ch(?=i)|ts(?=u)|sh(?=i)|f(?=u)|j(?=i)|[stz]y(?=[auo])/g;

/** Returns one of the spellings that a Japanese word has in Latin letters. Most sounds become their first letter. */
export const toOneRomanization = (word: string): string => word.replace(SOUND, (sound) => SOUNDS[sound] ?? sound.slice(0, 1));

/** Returns the words that spell the same as a word does if both are Japanese. */
export function otherRomanizations(typed: string, all: readonly VocabularyWord[]): string[] {
  const own = toOneRomanization(typed);
  const isNear = ({ word }: VocabularyWord) => word !== typed && Math.abs(word.length - typed.length) <= 2;
  return all.filter((other) => isNear(other) && toOneRomanization(other.word) === own).map(({ word }) => word);
}
