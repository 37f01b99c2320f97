/** Lists of names: on one page, or split into letter pages if they are long. */
import type { ArticleEntry } from '../../../catalogue/entries.ts';
import { isScript, type Letter } from '../../../catalogue/lists/letters.ts';
import { articlePath } from '../../../catalogue/urls.ts';
import { lastStep, STEP } from '../../../model/term-steps.ts';
import { filedSortKey } from '../../../model/text/sort-key.ts';
import type { Locale } from '../../language/locale.ts';
import type { Site } from '../../site.ts';

/** A name in a list. */
export interface NameLine {
  label: string;
  path: string;
  /** The sort key. */
  sort: string;
  /** The number of records. */
  count?: number;
  /** What is shown instead of a number of records, if there is none. */
  note?: string;
}

/** Maximum number of names on one page. */
export const MAX_LIST_LENGTH = 300;

/**
 * Returns a function that returns the list of a site with a name, and makes it when it is first needed: each letter page of a
 * long list needs all of it. Lists last as long as the relations of a site.
 */
export function createListCache<Line extends NameLine>() {
  const byRelations = new WeakMap<Site['relations'], Map<string, Line[]>>();
  return ({ relations, locale }: Pick<Site, 'relations' | 'locale'>, name: string, make: () => Line[]) => {
    const lists = byRelations.get(relations) ?? new Map<string, Line[]>();
    byRelations.set(relations, lists);
    const key = `${locale.language} ${name}`;
    const list = lists.get(key) ?? make();
    lists.set(key, list);
    return list;
  };
}

/** Splits a list that is too long for one page into letter pages, of which each letter has `count`; none for a shorter list. */
export function letterPages(lines: NameLine[], { letters, letterOf }: Pick<Locale, 'letters' | 'letterOf'>) {
  if (lines.length <= MAX_LIST_LENGTH) return [];
  const groups = Map.groupBy(lines, ({ sort }) => letterOf(sort));
  return letters.flatMap((letter) => {
    const own = groups.get(letter) ?? [];
    const count = Math.ceil(own.length / MAX_LIST_LENGTH);
    return Array.from({ length: count }, (_, i) => {
      return { letter, number: i + 1, count, lines: own.slice(i * MAX_LIST_LENGTH, (i + 1) * MAX_LIST_LENGTH) };
    });
  });
}

/**
 * Returns a letter page by its file name, without extension.
 * @throws {Error} if the list has no such page
 */
export function findLetterPage(lines: NameLine[], slug: string, locale: Pick<Locale, 'letters' | 'letterOf'>) {
  const page = letterPages(lines, locale).find(({ letter, number }) => letterSlug(letter, number) === slug);
  if (!page) throw new Error(`No name begins with ${slug}`);
  return page;
}

/** Returns the file name of a letter page, without extension. */
export function letterSlug(letter: Letter, number = 1): string {
  const plain = /^\w+$/.test(letter)
    ? letter.toLowerCase()
    : `u${[...letter].map((each) => each.codePointAt(0)?.toString(16)).join('_')}`;
  const name = letter === '0–9' ? 'digits' : plain;
  return number === 1 ? name : `${name}-${number}`;
}

/** Returns the heading of a letter as pages show it. */
export function letterLabel(letter: Letter, { t, scriptName }: Locale): string {
  if (isScript(letter)) return scriptName(letter);
  return letter === 'Other' ? t.frame.otherLetters : letter;
}

/** Returns the names with the most records; terms without the steps above them. */
export function mostFrequent(lines: NameLine[], max = MAX_FREQUENT): NameLine[] {
  return lines
    .filter(({ count }) => count !== undefined)
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
    .slice(0, max)
    .map((line) => ({ ...line, label: ownStep(line, lines) }));
}
const MAX_FREQUENT = 60;

/** Returns the own step of a term in a list, unless another one ends with the same. */
function ownStep({ label }: NameLine, lines: readonly NameLine[]): string {
  const own = lastStep(label);
  const isShared = lines.some((other) => other.label !== label && `${STEP}${other.label}`.endsWith(`${STEP}${own}`));
  return isShared ? label : own;
}

/** Returns guide pages as names in a list, each under the first word after an article. */
export function articleLines(articles: readonly ArticleEntry[], locale: Locale): NameLine[] {
  return sortLines(
    articles.map((article) => articleLine(article, locale)),
    locale,
  );
}

/** Returns a guide page as a name in a list. */
export function articleLine({ title, slug, titleSort }: ArticleEntry, { withoutArticle }: Locale): NameLine {
  return { label: title, path: articlePath(slug), sort: filedSortKey(title, titleSort, withoutArticle) };
}

/** Sorts names in place; equal ones by their paths, so that the order is always the same. */
export function sortLines<Line extends NameLine>(lines: Line[], { compare }: Pick<Locale, 'compare'>): Line[] {
  return lines.sort((a, b) => compare(a.sort, b.sort) || compare(a.label, b.label) || (a.path < b.path ? -1 : 1));
}
