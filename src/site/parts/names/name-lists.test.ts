import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ArticleEntry } from '../../../catalogue/entries.ts';
import { createAlphabet } from '../../../catalogue/lists/letters.ts';
import { createLocales, type Locale } from '../../language/locale.ts';
import { articleLines, letterPages, letterSlug, MAX_LIST_LENGTH, mostFrequent } from './name-lists.ts';

const [locale] = createLocales(['en']) as [Locale];
const { letterOf } = locale;
const line = (label: string, count = 1) => ({ label, path: `p/${label}`, sort: label, count });

it('does not split a short list', () => {
  expect(
    letterPages(
      Array.from({ length: MAX_LIST_LENGTH }, (_, i) => line(`name ${i}`)),
      locale,
    ),
  ).toEqual([]);
});

it('puts every name of a long list on exactly one page of its letter, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: MAX_LIST_LENGTH + 1, maxLength: 3 * MAX_LIST_LENGTH }), (names) => {
      const lines = names.sort().map((name, i) => line(name, i));
      const pages = letterPages(lines, locale);
      const shown = pages.flatMap((page) => page.lines);
      expect(new Set(shown)).toEqual(new Set(lines));
      expect(shown).toHaveLength(lines.length);
      for (const { letter, number, count, lines: own } of pages) {
        expect(own.length).toBeLessThanOrEqual(MAX_LIST_LENGTH);
        expect(number).toBeLessThanOrEqual(count);
        for (const { sort } of own) expect(letterOf(sort)).toBe(letter);
        expect(own.map(({ count: position }) => position)).toEqual(
          own.map(({ count: position }) => position).sort((a, b) => Number(a) - Number(b)),
        );
      }
      expect(new Set(pages.map(({ letter, number }) => letterSlug(letter, number))).size).toBe(pages.length);
    }),
    { numRuns: 20 },
  );
});

it('gives each letter its own file name', () => {
  const all = [...new Set(['cs', 'hu', 'sq', 'mt', 'ja'].flatMap((language) => createAlphabet(language).letters))];
  expect(new Set(all.map((letter) => letterSlug(letter))).size).toBe(all.length);
  expect(all.map((letter) => letterSlug(letter, 2)).join(' ')).toMatch(/^[a-z0-9_ -]+$/);
});

it('names terms by their own step, unless two would be called the same', () => {
  const labels = ['Fishing', 'Work › Fishing', 'Play › Singing', 'Work › Weaving', 'Play › Weaving'];
  expect(mostFrequent(labels.map((label, i) => line(label, 9 - i))).map(({ label }) => label)).toEqual([
    'Fishing',
    'Work › Fishing',
    'Singing',
    'Work › Weaving',
    'Play › Weaving',
  ]);
});

it('lists the most frequent names first', () => {
  expect(mostFrequent([line('a', 1), line('b', 3), line('c', 2)]).map(({ label }) => label)).toEqual(['b', 'c', 'a']);
});

it('files a guide page under the first word after its article', () => {
  const article = (title: string, titleSort: string) => ({ title, titleSort, slug: titleSort }) as ArticleEntry;
  const lines = articleLines([article('The Sandpiper', 'thesandpiper'), article('Theatres', 'theatres')], locale);
  expect(lines.map(({ label, sort }) => [label, letterOf(sort)])).toEqual([
    ['The Sandpiper', 'S'],
    ['Theatres', 'T'],
  ]);
});

it('sorts guide pages by the language, and Arabic ones without the article', () => {
  const titles = (language: 'ar' | 'es', given: string[]) => {
    const [own] = createLocales([language]) as [Locale];
    return articleLines(
      given.map((title) => ({ title, titleSort: title, slug: title }) as ArticleEntry),
      own,
    ).map(({ label }) => label);
  };
  expect(titles('es', ['Oro', 'Ñandú', 'Nudo'])).toEqual(['Nudo', 'Ñandú', 'Oro']);
  expect(titles('ar', ['Harbor', 'يافا', 'الميناء', 'كتاب'])).toEqual(['كتاب', 'الميناء', 'يافا', 'Harbor']);
});
