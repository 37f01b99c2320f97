import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { codeLabel, createLocales, LANGUAGES, type Locale } from './locale.ts';

const locales = createLocales(LANGUAGES);
const of = (language: string) => locales.find((locale) => locale.language === language) as Locale;

/** Returns every text of a dictionary by its path; functions are called with numbers. */
function texts(node: unknown, path = ''): Array<[path: string, text: string]> {
  if (typeof node === 'string') return [[path, node]];
  if (typeof node === 'function')
    return [1, 2].map((n) => [`${path}(${n})`, String((node as (...v: unknown[]) => string)(n, n, n))]);
  return Object.entries(node as object).flatMap(([key, value]) => texts(value, path === '' ? key : `${path}.${key}`));
}

/** Texts that may be the same in several languages: punctuation, signs, numbers, proper names, abbreviations, and a word that Spanish has, too. */
const SHARED = /^[\s\p{P}\p{S}\p{N}]*$|^ID$|^audio$|^eds?\.$|^et al\.$|Creative Commons|^SHA|^MD5|^[+−]\d+ s$/u;

describe.each(LANGUAGES.filter((language) => language !== 'en'))('the dictionary of %s', (language) => {
  const english = new Map(texts(en));
  const own = texts(of(language).t);

  it('has a text for every English text', () => {
    expect(own.map(([path]) => path)).toEqual([...english.keys()]);
    expect(own.filter(([path, text]) => text === '' && path !== 'frame.offlineCopyOf.0')).toEqual([]);
  });

  it('translates every text', () => {
    const same = own.filter(([path, text]) => text === english.get(path) && !SHARED.test(text));
    expect(same).toEqual([]);
  });
});

it('puts the first language at the top, and the others in subdirectories', () => {
  expect(createLocales(['ja', 'en']).map(({ language, pathPrefix, rootPath }) => [language, pathPrefix, rootPath])).toEqual([
    ['ja', '', ''],
    ['en', 'en/', '../'],
  ]);
});

it.each([
  ['en', 'jpn', 'Japanese'],
  ['es', 'jpn', 'japonés'],
  ['ja', 'jpn', '日本語'],
  ['en', 'chi', 'Chinese'],
  ['en', 'tgl', 'Tagalog'],
  ['ja', 'tgl', 'タガログ語'],
  ['en', 'lao', 'Lao'],
  ['en', 'xyz', 'Unknown language (xyz)'],
  ['ja', 'xyz', '不明な言語（xyz）'],
  ['en', 'und', 'Undetermined'],
  ['es', 'und', 'indeterminado'],
  ['ja', 'und', '言語不明'],
  ['en', 'UND', 'Undetermined'],
  ['en', 'mis', 'Uncoded language'],
  ['es', 'mul', 'varios idiomas'],
  ['ja', 'zxx', '言語的内容なし'],
  ['en', 'zxx', 'No linguistic content'],
  ['en', 'not a code', 'not a code'],
])('names languages: %s %s', (language, code, name) => expect(of(language).languageName(code)).toBe(name));

it.each([
  ['en', '2026-11-21T23:30:00.000Z', 'November 21, 2026'],
  ['es', '2026-11-21T23:30:00.000Z', '21 de noviembre de 2026'],
  ['ja', '2026-11-21T23:30:00', '2026年11月21日'],
  ['en', '2026-11-21 23:30:00.0', 'November 21, 2026'],
  ['en', '2026-11-21T23:30:00.123456', 'November 21, 2026'],
  ['en', '2026-11-21T23:30:00-08:00', 'November 22, 2026'],
  ['en', 'some day', 'some day'],
  ['en', '10/30/2003', 'October 30, 2003'],
  ['es', 'Spring 1943', 'primavera de 1943'],
  ['en', 'Winter 1943', 'Winter 1943'],
  ['en', 'batch 7', 'batch 7'],
  ['en', '3/9/2014', '3/9/2014'],
])('formats dates: %s %s', (language, time, date) => expect(of(language).formatDate(time)).toBe(date));

it('returns an unknown code unchanged, even one that is a property of every object', () => {
  expect([codeLabel({ a: 'A' }, 'a'), codeLabel({ a: 'A' }, 'b'), codeLabel({}, 'constructor')]).toEqual([
    'A',
    'b',
    'constructor',
  ]);
});

it.each([
  ['en', '1942-03-01', 'March 1, 1942'],
  ['en', '12 June 1955', 'June 12, 1955'],
  ['en', 'March 1, 1942', 'March 1, 1942'],
  ['es', 'March 1, 1942', '1 de marzo de 1942'],
  ['ja', 'March 1, 1942', '1942年3月1日'],
  ['en', 'n.d.', 'Undated'],
  ['es', 'n.d.', 'Sin fecha'],
  ['en', '2/11/1947', '2/11/1947'],
  ['es', '2/11/1947', '2/11/1947'],
  ['en', 'circa 1942', 'c. 1942'],
  ['es', 'circa 1942', 'hacia 1942'],
  ['ja', 'circa 1942', '1942年頃'],
  ['en', 'March 1, 1942?', 'March 1, 1942?'],
  ['en', '1942-45', '1942–1945'],
  ['es', 'early 1940s', 'principios de la década de 1940'],
  ['es', 'Spring 1943', 'primavera de 1943'],
  ['es', 'Winter 1943-1944', 'Winter 1943–1944'],
  ['en', 'before the second ferry', 'before the second ferry'],
])('shows in %s the date “%s” as “%s”', (language, text, expected) => expect(of(language).formatRecordDate(text)).toBe(expected));

it.each([
  ['en', '1931-03-01', '1932-10-31', 'March 1, 1931 – October 31, 1932'],
  ['es', '1931-03-01', '1931-03-05', '1–5 de marzo de 1931'],
  ['ja', '1931-03-01', '1931-03-05', '1931年3月1日～5日'],
  ['en', '1931', '1931', '1931'],
  ['en', '1931', 'the flood', '1931 – the flood'],
])('shows in %s the period from “%s” to “%s” as “%s”', (language, from, to, expected) =>
  expect(of(language).formatPeriod(from, to)).toBe(expected),
);
