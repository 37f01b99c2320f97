import { expect, it } from 'vitest';
import { splitWords } from '../formats/search/searchable-text.ts';
import { type DateReading, readDate } from '../model/dates/read.ts';
import { createLocales } from '../site/language/locale.ts';
import { dateWords } from './searched-fields.ts';

function wordsOf(text: string, languages: Parameters<typeof createLocales>[0] = ['en']): string[] {
  const reading = readDate(text);
  return typeof reading === 'object' ? [...new Set(splitWords(dateWords(reading, createLocales(languages))))] : [];
}

it.each([
  ['1942', ['1942', '1940s']],
  ['1942-1945', ['1942', '1943', '1944', '1945', '1940s']],
  ['1938-1941', ['1938', '1939', '1940', '1941', '1930s', '1940s']],
  ['194X', ['1940s']],
  ['1905-1988', ['1900s', '1940s', '1980s']],
  ['2/11/1947', ['1947', '1940s', '02', '11', 'february', 'feb']],
  ['1942 March 4', ['1942', 'march', 'mar', '4', '03', '04']],
  ['1942-21', ['1942', '1940s', 'spring']],
  ['September 1920', ['september', 'sep', 'sept']],
])('finds %s by %j', (text, words) => expect(wordsOf(text)).toEqual(expect.arrayContaining(words)));

it('finds a long span by its decades, not by each year', () => {
  expect(wordsOf('1905-1988')).not.toContain('1942');
  expect(wordsOf('before 1942')).not.toContain('1942');
});

it('repeats the years and decades of a short span, which raises it above a long one', () => {
  const count = (text: string, word: string) =>
    dateWords(readDate(text) as DateReading, createLocales(['en']))
      .split(' ')
      .filter((other) => other === word).length;
  expect([count('1942', '1940s'), count('194X', '1940s'), count('1905-1988', '1940s')]).toEqual([2, 2, 1]);
});

it('finds a date in all languages of the site, and only in these', () => {
  expect(wordsOf('1947-02-11', ['en', 'es', 'ja'])).toEqual(expect.arrayContaining(['february', 'febrero', '月', '日']));
  expect(wordsOf('1947-02-11')).not.toContain('febrero');
});
