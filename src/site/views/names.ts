/** Long lists of names: whole where they are short, and cut by first letters into pages where they are not. */
import type { ArticleEntry, AuthorEntry } from '../../catalogue/entries.ts';
import { LETTERS, type Letter, letterOf } from '../../catalogue/letters.ts';
import { articlePath, authorPath } from '../../catalogue/urls.ts';

/** A name as lists show it. */
export interface NameLine {
  label: string;
  path: string;
  /** What it is sorted by. */
  sort: string;
  count?: number;
}

/** Names that one page lists at most. */
export const LONGEST_LIST = 300;

/** The names under one letter that stand on one page. */
export interface LetterPage {
  letter: Letter;
  /** From 1. */
  number: number;
  count: number;
  lines: NameLine[];
}

/** The pages of a list that is too long for one; none for a shorter one. */
export function letterPages(lines: NameLine[]): LetterPage[] {
  if (lines.length <= LONGEST_LIST) return [];
  const groups = Map.groupBy(lines, ({ sort }) => letterOf(sort));
  return LETTERS.flatMap((letter) => {
    const own = groups.get(letter) ?? [];
    const count = Math.ceil(own.length / LONGEST_LIST);
    return Array.from({ length: count }, (_, i): LetterPage => {
      return { letter, number: i + 1, count, lines: own.slice(i * LONGEST_LIST, (i + 1) * LONGEST_LIST) };
    });
  });
}

/** The file name of a letter's page, without its extension. */
export function letterSlug(letter: Letter, number = 1): string {
  const name = { '0–9': 'digits', Other: 'other' }[letter as string] ?? letter.toLowerCase();
  return number === 1 ? name : `${name}-${number}`;
}

/** The names that the most stand behind. */
export function mostFrequent(lines: NameLine[]): NameLine[] {
  return lines
    .filter(({ count }) => count !== undefined)
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
    .slice(0, MOST);
}
const MOST = 60;

export function authorLines(authors: readonly AuthorEntry[]): NameLine[] {
  return authors.map(({ title, slug, titleSort }) => ({ label: title, path: authorPath(slug), sort: titleSort }));
}

export function articleLines(articles: readonly ArticleEntry[]): NameLine[] {
  return articles.map(({ title, slug, titleSort }) => ({ label: title, path: articlePath(slug), sort: titleSort }));
}
