import { describe, expect, it } from 'vitest';
import { createLocales, LANGUAGES } from '../../site/language/locale.ts';
import { hasTwoReadings } from './day-order.ts';
import { formatPlainDate, formatShownDate, withDashes } from './format.ts';
import dateForms from './forms.json' with { type: 'json' };
import { encodeShownDate, readPlainDate } from './plain.ts';
import { readDate } from './read.ts';

const locales = createLocales(LANGUAGES);
/** The languages of which all words of dates are read, not only months. */
const readLocales = createLocales(['en', 'es', 'ja']);
const inAll = (plain: string) => readLocales.map(({ language, dateWords }) => formatPlainDate(plain, language, dateWords));

it.each([
  ['March 4, 1942', '1942-03-04', 'March 4, 1942', '4 de marzo de 1942', '1942年3月4日'],
  ['4 de marzo de 1942', '1942-03-04', 'March 4, 1942', '4 de marzo de 1942', '1942年3月4日'],
  ['1942年3月4日', '1942-03-04', 'March 4, 1942', '4 de marzo de 1942', '1942年3月4日'],
  ['2014-03-09 00:00:00.0', '2014-03-09', 'March 9, 2014', '9 de marzo de 2014', '2014年3月9日'],
  ['Jan.-Feb. 1943', '1943-01/1943-02', 'January–February 1943', 'enero–febrero de 1943', '1943年1月～2月'],
  ['December 24-26, 1942', '1942-12-24/1942-12-26', 'December 24–26, 1942', '24–26 de diciembre de 1942', '1942年12月24日～26日'],
  [
    'Jan. 3-Feb. 5, 1942',
    '1942-01-03/1942-02-05',
    'January 3 – February 5, 1942',
    '3 de enero – 5 de febrero de 1942',
    '1942年1月3日～2月5日',
  ],
  [
    'March 4, 1942 - May 6, 1943',
    '1942-03-04/1943-05-06',
    'March 4, 1942 – May 6, 1943',
    '4 de marzo de 1942 – 6 de mayo de 1943',
    '1942年3月4日～1943年5月6日',
  ],
  ['March 1942 - 1943', '1942-03/1943', 'March 1942 – 1943', 'marzo de 1942 – 1943', '1942年3月～1943年'],
  ['1938-39', '1938/1939', '1938–1939', '1938–1939', '1938～1939年'],
  ['c. 1942-1945', '1942~/1945', 'c. 1942–1945', 'hacia 1942–1945', '1942～1945年頃'],
  ['circa March 1942', '1942-03~', 'c. March 1942', 'hacia marzo de 1942', '1942年3月頃'],
  ['ca. 1942?', '1942%', 'c. 1942?', '¿hacia 1942?', '1942年頃？'],
  ['[194-?]', '194X?', '1940s?', '¿década de 1940?', '1940年代？'],
  ['ca. 1930s', '193X~', 'c. 1930s', 'hacia la década de 1930', '1930年代頃'],
  ['1942 Fall', '1942-23', 'Fall 1942', 'otoño de 1942', '1942年秋'],
  ['late 1930s', 'late 193X', 'late 1930s', 'finales de la década de 1930', '1930年代末'],
  ['early 1942', 'early 1942', 'early 1942', 'principios de 1942', '1942年初め'],
  ['a mediados de los años 1940', 'mid 194X', 'mid-1940s', 'mediados de la década de 1940', '1940年代半ば'],
  ['before 1942', '<1942', 'before 1942', 'antes de 1942', '1942年より前'],
  ['antes del 13 de mayo de 1942', '<1942-05-13', 'before May 13, 1942', 'antes del 13 de mayo de 1942', '1942年5月13日より前'],
  ['n.d.', 'undated', 'Undated', 'Sin fecha', '年代不明'],
])('“%s” is %s', (text, plain, ...written) => {
  expect(readPlainDate(text)).toBe(plain);
  expect(inAll(plain)).toEqual(written);
});

it.each([
  ['1942-03-04', '4 mars 1942', '4 مارس 1942'],
  ['1943-01/1943-02', 'janvier–février 1943', 'يناير–فبراير 1943'],
  ['1942%', 'vers 1942\u202f?', 'نحو 1942؟'],
  ['193X~', 'vers les années 1930', 'نحو عقد 1930'],
  ['1942-23', 'automne 1942', 'خريف 1942'],
  ['<1942-05-13', 'avant le 13 mai 1942', 'قبل 13 مايو 1942'],
] as const)('%s is “%s” in French and “%s” in Arabic', (plain, ...written) =>
  expect(createLocales(['fr', 'ar']).map(({ language, dateWords }) => formatPlainDate(plain, language, dateWords))).toEqual(
    written,
  ),
);

it.each([
  ['4 mars 1942', '1942-03-04'],
  ['août 1942', '1942-08'],
  ['4 مارس 1942', '1942-03-04'],
])('reads the months of French and Arabic: %s', (text, edtf) => expect(edtfOf(text)).toBe(edtf));

describe.each([
  '3/4/1942',
  '4.3.1942',
  '1908-10',
  'Christmas 1942',
  'Winter 1943-1944',
  'Poston, Arizona, March 1943',
  '1942 (1943)',
  '1942 May [June]',
  'Fall/Winter 1942',
  'fall - spring 1943',
  '1930s-45',
  '昭和17年3月',
  'between 1942 and 1945',
  'late 1900s',
  '1942-',
  'until 1942',
  'since 1942',
  '1942 and 1945',
  'probably 1942',
  'Class of 1942',
  'before the second ferry',
  '1942-34',
  '',
  'July 4th, 1943 - Independence Day',
  '1967 [i.e. 1976]',
  '7:55 a.m., December 7, 1941',
  '1942, printed 1950',
])('“%s”', (text) => it('is in the archive’s words', () => expect(readPlainDate(text)).toBeUndefined()));

it('reads what it writes as the same date, in every language that it reads', () => {
  for (const { examples } of dateForms.forms)
    for (const [text = ''] of examples) {
      const plain = readPlainDate(text);
      if (plain === undefined) continue;
      for (const written of inAll(plain)) expect([written, edtfOf(written)]).toEqual([written, edtfOf(text)]);
    }
});

/** Of a span, without marks: “c. 1984–2004” says of both ends what the archive may say of one. */
function edtfOf(text: string): string | undefined {
  const reading = readDate(text);
  if (typeof reading !== 'object') return reading;
  return reading.edtf.includes('/') ? reading.edtf.replace(/[~?%]/g, '') : reading.edtf;
}

it('has en dashes in the archive’s words between years only', () => {
  expect(
    ['Winter 1943-1944', '1930s-40s', '1900-1950, bulk 1942-1945', '1943-44 winter', '1908-10', '1942-03-04', 'MS 1942-7'].map(
      withDashes,
    ),
  ).toEqual([
    'Winter 1943–1944',
    '1930s–40s',
    '1900–1950, bulk 1942–1945',
    '1943–44 winter',
    '1908-10',
    '1942-03-04',
    'MS 1942-7',
  ]);
});

it('encodes a date for results so that no words of an archive are taken for a date', () => {
  const [{ dateWords }] = locales as [(typeof locales)[number]];
  for (const text of ['1908-10', '1942-00-00', 'late 1900s', '1942-34', '<1942-00'])
    expect(formatShownDate(encodeShownDate(text), 'en', dateWords)).toBe(text);
  expect(formatShownDate(encodeShownDate('circa 1942'), 'es', locales[1]?.dateWords ?? dateWords)).toBe('hacia 1942');
});

it.each([
  ['2/11/1947', true],
  ['c. 3.4.42', true],
  ['2/13/1947', false],
  ['2/2/1947', false],
  ['February 11, 1947', false],
  ['1947-02-11', false],
])('whether day and month of “%s” are uncertain: %s', (text, expected) => expect(hasTwoReadings(text)).toBe(expected));
