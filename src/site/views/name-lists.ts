/** Lists of names: on one page, or split into letter pages if they are long. */
import type { ArticleEntry, AuthorEntry } from '../../catalogue/entries.ts';
import { LETTERS, type Letter, letterOf } from '../../catalogue/letters.ts';
import { articlePath, authorPath } from '../../catalogue/urls.ts';

/** A name in a list. */
export interface NameLine {
  label: string;
  path: string;
  /** The sort key. */
  sort: string;
  /** The number of records. */
  count?: number;
}

/** Maximum number of names on one page. */
export const MAX_LIST_LENGTH = 300;

/** One page of the names that begin with a letter. */
export interface LetterPage {
  letter: Letter;
  /** From 1. */
  number: number;
  /** The number of pages of the letter. */
  count: number;
  lines: NameLine[];
}

/** Splits a list that is too long for one page into letter pages; returns none for a shorter list. */
export function letterPages(lines: NameLine[]): LetterPage[] {
  if (lines.length <= MAX_LIST_LENGTH) return [];
  const groups = Map.groupBy(lines, ({ sort }) => letterOf(sort));
  return LETTERS.flatMap((letter) => {
    const own = groups.get(letter) ?? [];
    const count = Math.ceil(own.length / MAX_LIST_LENGTH);
    return Array.from({ length: count }, (_, i): LetterPage => {
      return { letter, number: i + 1, count, lines: own.slice(i * MAX_LIST_LENGTH, (i + 1) * MAX_LIST_LENGTH) };
    });
  });
}

/** Returns the file name of a letter page, without extension. */
export function letterSlug(letter: Letter, number = 1): string {
  const name = { '0–9': 'digits', Other: 'other' }[letter as string] ?? letter.toLowerCase();
  return number === 1 ? name : `${name}-${number}`;
}

/** Returns the names with the most records. */
export function mostFrequent(lines: NameLine[]): NameLine[] {
  return lines
    .filter(({ count }) => count !== undefined)
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
    .slice(0, MAX_FREQUENT);
}
const MAX_FREQUENT = 60;

/** Returns authors as names in a list. */
export function authorLines(authors: readonly AuthorEntry[]): NameLine[] {
  return authors.map(({ title, slug, titleSort }) => ({ label: title, path: authorPath(slug), sort: titleSort }));
}

/** Returns guide pages as names in a list. */
export function articleLines(articles: readonly ArticleEntry[]): NameLine[] {
  return articles.map(({ title, slug, titleSort }) => ({ label: title, path: articlePath(slug), sort: titleSort }));
}
