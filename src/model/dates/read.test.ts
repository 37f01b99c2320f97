import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import dateForms from './forms.json' with { type: 'json' };
import { readDate } from './read.ts';

const edtfOf = (text: string) => {
  const reading = readDate(text);
  return typeof reading === 'object' ? reading.edtf : reading;
};

describe.each(dateForms.forms)('$name', ({ examples }) => {
  it.each(examples)('reads “%s” as %s', (text = '', edtf = '') => expect(edtfOf(text)).toBe(edtf));
});

it.each(dateForms.forms.flatMap(({ examples }) => examples.map(([text = '']) => text)))(
  'says the same certainty of “%s” in EDTF',
  (text) => {
    const reading = readDate(text);
    if (typeof reading !== 'object') return;
    for (const { edtf, approximate } of reading.intervals) expect([edtf, approximate]).toEqual([edtf, /[~%]/.test(edtf)]);
  },
);

it.each(dateForms.unread)('does not read “%s”', (text) => expect(readDate(text)).toBeUndefined());

const yearsOf = (text: string): number[] => {
  const reading = readDate(text);
  if (typeof reading !== 'object') return [];
  return reading.intervals.flatMap(({ start, end }) =>
    [start, end].flatMap((bound) => (bound ? [Number(bound.slice(0, 4))] : [])),
  );
};

describe('any text', () => {
  it('is read or not, without an error, and with bounds in order', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), dateLike());
    fc.assert(
      fc.property(text, (value) => {
        const reading = readDate(value);
        if (typeof reading !== 'object') return;
        expect(reading.intervals.length).toBeGreaterThan(0);
        for (const { start, end } of reading.intervals) {
          for (const bound of [start, end]) if (bound !== undefined) expect(bound).toMatch(/^\d{4}(-\d\d(-\d\d)?)?$/);
          if (start !== undefined && end !== undefined) expect(start.slice(0, 4) <= end.slice(0, 4)).toBe(true);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('never gets a year whose century it does not state', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9 ,;\-/.?~cX]{0,24}$/), (value) => {
        fc.pre(!/\d[- ]?c\./.test(value)); // “11c.” is a century by its number
        for (const year of yearsOf(value)) expect(value).toContain(String(Math.floor(year / 100)));
      }),
      { numRuns: 5000 },
    );
  });

  it('is read in less than a millisecond on average', () => {
    const texts = fc.sample(fc.oneof(dateLike(), fc.string({ unit: 'grapheme', maxLength: 160 })), { numRuns: 3000, seed: 1 });
    for (const text of texts) readDate(text); // the first calls compile
    const start = process.cpuUsage();
    for (const text of texts) readDate(text);
    expect(process.cpuUsage(start).user / 1000 / texts.length).toBeLessThan(1);
  });
});

describe('a text of the greatest length', () => {
  const fill = (unit: string) => unit.repeat(Math.ceil(160 / unit.length)).slice(0, 160);
  const units = [
    'a, ',
    'a ',
    '; ',
    'a: ',
    'of ',
    'in the ',
    'May ',
    'Xmas ',
    '1942, ',
    '5/1, ',
    '(a) ',
    '[a] ',
    '[',
    'from 1 ',
    'not ',
    'januarz ',
    '昭和17年',
    '明治',
    '1/',
    'ﷺ',
  ];
  const texts = [...units.map(fill), ...units.map((unit) => `${fill(unit).slice(0, 155)} 1942`)];

  // The time of the core, without what the thread waited for it. The fastest of several: the first calls compile.
  it.each(texts)('is read in less than a millisecond: %s', (text) => {
    const times = Array.from({ length: 60 }, () => {
      const start = process.threadCpuUsage();
      readDate(text);
      return process.threadCpuUsage(start).user / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(1);
  });
});

it('gives lists in valid EDTF', () => {
  fc.assert(
    fc.property(dateLike(), (text) => {
      const edtf = edtfOf(text);
      if (edtf?.startsWith('{')) expect(edtf).toMatch(/^\{[^{}]*\}$/);
      expect(edtf ?? '').not.toMatch(/\.{3}|\/\.\..+\/|\{.*\[/);
    }),
    { numRuns: 3000 },
  );
});

it('reads every day in every order of its parts', () => {
  const day = fc.date({ min: new Date('1000-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const iso = date.toISOString().slice(0, 10);
      const [y, m, d] = iso.split('-').map(Number) as [number, number, number];
      const format = (locale: string) =>
        date.toLocaleDateString(locale, { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' });
      const month = date.toLocaleDateString('en', { month: 'short', timeZone: 'UTC' });
      const texts = [
        iso,
        `${m}/${d}/${y}`,
        `${y} ${month}. ${d}`,
        `${d} ${month} ${y}`,
        ...['en-US', 'en-GB', 'es', 'ja', 'ko'].map(format),
      ];
      for (const text of texts) expect([text, edtfOf(text)]).toEqual([text, iso]);
    }),
  );
});

it('reads a year of the Japanese calendar as the year in which it was', () => {
  const day = fc.date({ min: new Date('1873-01-01'), max: new Date('2024-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const text = date.toLocaleDateString('ja-JP-u-ca-japanese', { dateStyle: 'long', timeZone: 'UTC' });
      expect([text, edtfOf(text)]).toEqual([text, date.toISOString().slice(0, 10)]);
    }),
  );
});

it('reads any two years as a range, in every way of writing it', () => {
  const year = fc.integer({ min: 1400, max: 2099 });
  fc.assert(
    fc.property(year, year, (a, b) => {
      fc.pre(a < b);
      for (const text of [
        `${a}-${b}`,
        `${a} – ${b}`,
        `${a} to ${b}`,
        `from ${a} until ${b}`,
        `${a}/${b}`,
        `de ${a} a ${b}`,
        `${a}年〜${b}年`,
      ])
        expect([text, edtfOf(text)]).toEqual([text, `${a}/${b}`]);
    }),
  );
});

/** Texts made of the parts of dates. */
function dateLike(): fc.Arbitrary<string> {
  const part = fc.constantFrom(
    '1942',
    '1945',
    '43',
    '4',
    '31',
    '194-',
    '194X',
    '19XX',
    '1940s',
    'March',
    'Feb.',
    'enero',
    'Winter',
    '春',
    '昭和',
    '17',
    '年',
    '月',
    '日',
    ' ',
    ' ',
    ' ',
    '-',
    '–',
    '/',
    ',',
    ', ',
    ' to ',
    ' and ',
    ' or ',
    'c. ',
    'ca.',
    '?',
    '[',
    ']',
    '(',
    ')',
    '~',
    'before ',
    'between ',
    'early ',
    'late ',
    'century',
    '19th',
    'undated',
    'bulk',
    'present',
    '世紀',
    '頃',
    '{',
    '}',
    '..',
    'siglo XIX',
    ' de ',
    "'",
  );
  return fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
}
