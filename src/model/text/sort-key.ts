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

const split = (words: string) => words.split(' ').filter(Boolean);
const oneOf = (words: readonly string[]) => `(?:${words.join('|') || '(?!)'})`;
const START = '^[^\\p{L}\\p{N}]*';

/** Matches an article that is the beginning of a word of three more letters, as in Arabic, with or without its marks. */
function prefixPattern(articles: string, others: string): RegExp {
  const prefixes = split(articles).filter((each) => each.endsWith('-'));
  const marked = prefixes.map((each) => each.slice(0, -1).replace(/./gu, '$&\\p{M}*'));
  return new RegExp(`${START}${oneOf(marked)}(?=(?:\\p{L}\\p{M}*){3})(?!${oneOf(split(others))}(?!\\p{L}))`, 'iu');
}

/**
 * Returns a function that returns a title without its article, of any language or of a project's words: “The Sandpiper” is filed
 * under S. “A to Z”, “A la orilla” and “A & B” begin with another word.
 */
export function withoutArticlesOf(own = { articles: '', noArticleBefore: '' }): (title: string) => string {
  const [articles, others] = [`${ARTICLES} ${own.articles}`, `${NO_ARTICLE_BEFORE} ${own.noArticleBefore}`];
  const prefix = prefixPattern(articles, others);
  const words = oneOf(split(articles).filter((each) => !each.endsWith('-')));
  const word = new RegExp(`${START}${words}\\s+(?=[\\p{L}\\p{N}“‘"'([])(?!${oneOf(split(others))}\\s)`, 'iu');
  return (title) => title.replace(prefix, '').replace(word, '');
}
/** Returns a title without its article, in any language. */
export const withoutArticle = withoutArticlesOf();

const PREFIX = prefixPattern(ARTICLES, NO_ARTICLE_BEFORE);
/** Returns a name without an article that is part of its first word. Names of people have no others. */
export const withoutPrefix = (name: string): string => name.replace(PREFIX, '');

/**
 * Returns the sort key that an archive gives for a title, without the article if the title begins with one and the key does too.
 * Archives write keys without spaces: “thesandpiper”.
 */
export function filedSortKey(title: string, key: string, without = withoutArticle): string {
  const rest = without(title);
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
