/** Sort keys of titles: as people sort them, without a leading article, and with numbers by value. */
import { foldLetters } from './fold-letters.ts';
import { ARTICLES, NO_ARTICLE_BEFORE } from './languages.ts';
import { MAX_TITLE_LENGTH } from './limits.ts';

/** Digits to which numbers are filled up. Longer ones are compared as text. */
const NUMBER_LENGTH = 20;

/**
 * Returns the text by which a title is sorted when texts are compared character by character: without marks, strokes, capitals
 * and leading punctuation, and with numbers filled up, so that “View 9” precedes “View 17”. Empty if nothing remains.
 */
export function naturalSortKey(title: string): string {
  const bare = title
    .slice(0, MAX_TITLE_LENGTH) // normalizing takes quadratic time for marks
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
  return foldLetters(bare.toLowerCase())
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/\d+/g, (number) => number.replace(/^0+(?=\d)/, '').padStart(NUMBER_LENGTH, '0'));
}

const oneOf = (words: string | readonly string[]) => `(?:${(typeof words === 'string' ? words.split(' ') : words).join('|')})`;
const [PREFIXES, WORDS] = [/-$/, /[^-]$/].map((end) => ARTICLES.split(' ').filter((article) => end.test(article))) as [
  string[],
  string[],
];
/** An article that is written as the beginning of a word of three more letters, as in Arabic, with or without its marks. */
const PREFIX = new RegExp(
  `^[^\\p{L}\\p{N}]*${oneOf(PREFIXES.map((prefix) => prefix.replace('-', '').replace(/./gu, '$&\\p{M}*')))}(?=(?:\\p{L}\\p{M}*){3})(?!${oneOf(NO_ARTICLE_BEFORE)}(?!\\p{L}))`,
  'u',
);
/** An article at the start of a title. “A to Z”, “A la orilla” and “A & B” begin with another word. */
const ARTICLE = new RegExp(
  `^[^\\p{L}\\p{N}]*${oneOf(WORDS)}\\s+(?=[\\p{L}\\p{N}“‘"'([])(?!${oneOf(NO_ARTICLE_BEFORE)}\\s)`,
  'iu',
);

/** Returns a title without its article: “The Sandpiper” is filed under S. Names of people have no articles. */
export const withoutArticle = (title: string): string => title.replace(PREFIX, '').replace(ARTICLE, '');

/** Returns a name without an article that is part of its first word. */
export const withoutPrefix = (name: string): string => name.replace(PREFIX, '');

/**
 * Returns the sort key that an archive gives for a title, without the article if the title begins with one and the key does too.
 * Archives write keys without spaces: “thesandpiper”.
 */
export function filedSortKey(title: string, key: string): string {
  const rest = withoutArticle(title);
  if (rest === title) return key;
  const [written, letters] = [lettersOf(title), lettersOf(key)];
  const articleLength = written.length - lettersOf(rest).length;
  return letters.startsWith(written.slice(0, articleLength + COMPARED_LETTERS)) ? letters.slice(articleLength) : key;
}

/** Letters after the article by which a key is known to have it. */
const COMPARED_LETTERS = 8;

function lettersOf(text: string): string {
  return text
    .slice(0, MAX_TITLE_LENGTH)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
