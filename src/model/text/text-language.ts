/** Decides a text's language for its `lang` attribute: by its script, or for Latin text by its trigrams (franc). */
import { francAll } from 'franc-min';
import { createRecent } from '../../platform/recent.ts';
import { RIGHT_TO_LEFT } from './isolate.ts';
import { languageTag } from './language-tag.ts';
import languagesByScript from './languages-by-script.json' with { type: 'json' };
import lettersOfLanguages from './letters-of-languages.json' with { type: 'json' };

/** What is known about the languages of an archive: BCP 47 tags. */
export interface ArchiveLanguages {
  /** The language of its descriptions, unless a text is surely in another one. */
  main: string;
  /** The languages that its records name, the most frequent first. */
  named: readonly string[];
}

/** The tag of text in several scripts, one of which is written from right to left. */
const UNSURE = 'und';
/** Languages that Latin text is compared with in every archive. */
const ALWAYS_COMPARED = ['en', 'es'];
/** Languages that Latin text is also compared with. Text most like one that the archive does not name has no sure language. */
const SIMILAR = ['pt', 'it', 'fr', 'ro', 'de', 'nl', 'sv'];
/** Each script's languages, the default first. Another is chosen if the record, the archive or the main language names it. */
const LANGUAGES_BY_SCRIPT = Object.entries(languagesByScript).map(([script, languages]) => ({
  script: new RegExp(`\\p{Script=${script}}`, 'gu'),
  languages,
}));
/** The letters of languages that others of the same script, or English, do not all have. */
const LETTERS = new Map(Object.entries(lettersOfLanguages).map(([tag, letters]) => [tag, letters.split(' ')]));
/** Languages of text with ideographs and without kana, as in `LANGUAGES_BY_SCRIPT`. */
const CJK_LANGUAGES = ['zh', 'ja', 'yue'];
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HAN = /\p{Script=Han}/gu;
const LATIN = /\p{Script=Latin}/gu;
/** An ideograph says as much as two letters. */
const IDEOGRAPH_WEIGHT = 2;
/** Of a text's letters, the share of the script that decides. */
const SURE_SHARE = 0.6;
/** The same of Latin letters in text that begins from right to left. */
const SURE_DESPITE_START = 0.9;
/** Characters that are examined. More would take longer, and change little. */
const SAMPLE_LENGTH = 600;
/** Letters that Latin text must have, without names: shorter text is like several languages. */
const MIN_LETTERS = 28;
/** How like another language, one of `SIMILAR`, and the main one, a text may be: from 0 to 1, compared with the first. */
const LIMITS = { second: 0.85, similar: 0.88, main: 0.65 };
/** The same for text of at least `LONG` letters, whose trigrams are more reliable. */
const LIMITS_OF_LONG = { second: 0.9, similar: 0.93, main: 0.8 };
const LONG = 60;
/**
 * What text must have that is in the only language of its item, if that is not the main one: letters, likeness to that language
 * among all, and at most so much likeness to the main one, as a whole and in excess of the other in each word.
 */
const AGREEING = { letters: 12, own: 0.9, main: 0.75, excessOfMain: 0.45 };

/**
 * Returns what the named languages of an archive decide for all its texts: which they are, and which of one script is the most
 * frequent. Equal results mean that `detectLanguage` returns the same for every text.
 */
export function decisiveLanguages(named: readonly string[]): { named: string[]; byScript: Array<string | undefined> } {
  const groups = [CJK_LANGUAGES, ...LANGUAGES_BY_SCRIPT.map(({ languages }) => languages)];
  return {
    named: [...named].sort(),
    byScript: groups.map((languages) => named.find((tag) => languages.includes(primaryOf(tag)))),
  };
}

/**
 * Returns the language of a plain text as a BCP 47 tag: the main language of the archive unless the text is surely in another
 * one; `und` if that is not sure and letters are written from right to left; undefined if the text has no letters.
 * `itemLanguages` are those of the described item, which choose between languages of one script.
 */
export function detectLanguage(
  text: string,
  archive: ArchiveLanguages,
  itemLanguages: readonly string[] = [],
): string | undefined {
  const sample = text.slice(0, SAMPLE_LENGTH);
  // A record's title is on many pages.
  return detected.get([archive.main, ...archive.named, '', ...itemLanguages, sample].join('\n'), () =>
    detectInSample(sample, archive, itemLanguages),
  );
}

const detected = createRecent<string, string | undefined>(20_000);

function detectInSample(sample: string, { main, named }: ArchiveLanguages, itemLanguages: readonly string[]): string | undefined {
  const choose = (languages: readonly string[]) =>
    [...itemLanguages, main, ...named].find((tag) => languages.includes(primaryOf(tag))) ?? languages[0];
  const latin = countMatches(sample, LATIN);
  if (latin === countMatches(sample, /\p{L}/gu)) return latin === 0 ? undefined : detectLatin(sample, main, named, itemLanguages);
  const kana = countMatches(sample, KANA);
  const eastAsian = (kana + countMatches(sample, HAN)) * IDEOGRAPH_WEIGHT;
  const others = LANGUAGES_BY_SCRIPT.map(({ script, languages }) => ({ count: countMatches(sample, script), languages }));
  const total = latin + eastAsian + others.reduce((all, { count }) => all + count, 0);
  const isSure = (count: number) => count > 0 && count >= total * SURE_SHARE;
  // Korean may contain ideographs, and Japanese always contains kana, except in names and short titles.
  const hangul = others[0]?.count ?? 0;
  if (hangul > kana && isSure(hangul + eastAsian / IDEOGRAPH_WEIGHT)) return 'ko';
  const other = isSure(eastAsian) ? { languages: CJK_LANGUAGES } : others.find(({ count }) => isSure(count));
  if (kana > 0 && isSure(eastAsian)) return 'ja';
  // Letters decide where neither the item nor the archive does.
  const expected = [...itemLanguages, main].find((tag) => other?.languages.includes(primaryOf(tag)));
  if (other) return expected ?? byLetters(sample, other.languages, choose(other.languages));
  // Latin text that begins from right to left, such as “letter from” in Hebrew before an English name, has that direction.
  const isReversed = RIGHT_TO_LEFT.test(/\p{L}/u.exec(sample)?.[0] ?? '');
  if (isSure(latin) && (!isReversed || latin >= total * SURE_DESPITE_START))
    return detectLatin(sample, main, named, itemLanguages);
  return RIGHT_TO_LEFT.test(sample) ? UNSURE : main;
}

/** Returns the language of one script whose own letters a text has, and least of others' letters; else the chosen one. */
function byLetters(text: string, languages: readonly string[], chosen = ''): string {
  const present = new Set(
    languages.flatMap((tag) => LETTERS.get(tag) ?? []).filter((letter) => text.toLowerCase().includes(letter)),
  );
  const likeness = (tag: string) => 3 * present.intersection(new Set(LETTERS.get(tag))).size - 2 * present.size;
  const best = Math.max(...languages.map(likeness));
  const equal = languages.filter((tag) => likeness(tag) === best);
  return present.size === 0 || best <= 0 || equal.includes(primaryOf(chosen)) ? chosen : (equal[0] as string);
}

/** Names, whose letters say nothing about the text around them. */
const CAPITALIZED = /(?<![\p{L}\p{M}’'])\p{Lu}[\p{L}\p{M}’'-]*/gu;

function detectLatin(text: string, main: string, named: readonly string[], itemLanguages: readonly string[]): string {
  const found = detectByMargin(text, main, named);
  const [only, ...others] = [...new Set(itemLanguages.map(primaryOf))];
  const isExpected = found === main && only !== undefined && others.length === 0 && only !== primaryOf(main);
  return isExpected && agreesWith(text, only, primaryOf(main)) ? only : found;
}

/** Returns the language that Latin text is like, by a sure margin to all others; else the main one. */
function detectByMargin(text: string, main: string, named: readonly string[]): string {
  const words = text.replace(CAPITALIZED, ' ');
  const letters = countMatches(words, LATIN);
  if (letters < MIN_LETTERS) return main;
  const possible = new Set([primaryOf(main), ...ALWAYS_COMPARED, ...named.map(primaryOf)]);
  const [first, ...others] = likenessTo(words, [...possible, ...SIMILAR]);
  const limits = letters < LONG ? LIMITS : LIMITS_OF_LONG;
  const limitOf = (language: string) => {
    if (language === primaryOf(main)) return limits.main;
    return possible.has(language) ? limits.second : limits.similar;
  };
  const isSure = first !== undefined && possible.has(first[0]) && others.every(([language, share]) => share <= limitOf(language));
  return isSure && first[0] !== primaryOf(main) ? first[0] : main;
}

/** A first word before another word that is not a name. */
const FIRST_WORD = /^[^\p{L}]*\p{Lu}[\p{L}\p{M}’'-]*(?=[\s,]+\p{Ll})/u;

/** Returns whether a short Latin text is in a language that it is expected to be in, and not in the main one, or partly. */
function agreesWith(text: string, language: string, main: string): boolean {
  const words = text.replace(FIRST_WORD, (word) => word.toLowerCase()).replace(CAPITALIZED, ' ');
  const marked = words.normalize('NFC').match(/(?![a-z])\p{Script=Latin}/giu) ?? [];
  if (marked.length > 0 && marked.every((letter) => LETTERS.get(language)?.includes(letter.toLowerCase()))) return true;
  // Words such as articles and prepositions; without them, two languages are too similar.
  const hasShortWord = /(?<![\p{L}\p{M}])\p{Ll}{1,3}(?![\p{L}\p{M}])/u.test(words);
  if (!hasShortWord || !LATIN_CODES.has(language) || countMatches(words, LATIN) < AGREEING.letters) return false;
  const likeness = likenessTo(words, [...LATIN_CODES.keys()]);
  if ((likeness.get(language) ?? 0) < AGREEING.own || (likeness.get(main) ?? 0) > AGREEING.main) return false;
  return (words.match(/[\p{L}\p{M}]{4,40}/gu) ?? []).every((word) => {
    const ofWord = likenessTo(word, [language, main]);
    return (ofWord.get(main) ?? 0) - (ofWord.get(language) ?? 0) < AGREEING.excessOfMain;
  });
}

/** Returns how like a text is each of some languages, from 0 to 1, the most likely first. */
function likenessTo(text: string, languages: readonly string[]): Map<string, number> {
  const codes = [...new Set(languages)].flatMap((tag) => LATIN_CODES.get(tag) ?? []);
  return new Map(tagged(francAll(text, { only: codes, minLength: 1 })).map(({ tag, share }) => [tag, share]));
}

/** Returns what franc says of the languages that have a tag. */
function tagged(found: ReturnType<typeof francAll>) {
  return found.flatMap(([code, share]) => {
    const tag = languageTag(code);
    return tag === undefined ? [] : [{ tag, code, share }];
  });
}

/** Returns the language of a tag without its script and region: `pt` for `pt-BR`. */
export const primaryOf = (tag: string): string => tag.split('-')[0] ?? tag;

/** franc’s codes of the languages in Latin script, by tag. It returns all of them for any Latin text. */
const LATIN_CODES: ReadonlyMap<string, string> = new Map(
  tagged(francAll('abc', { minLength: 1 })).map(({ tag, code }) => [tag, code]),
);

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
