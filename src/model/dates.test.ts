import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coveredYears, parseDateRange } from './dates.ts';

describe('parseDateRange', () => {
  it.each([
    ['1942', '1942', '1942', false],
    ['c. 1942', '1942', '1942', true],
    ['ca. 1930s', '1930', '1939', true],
    ['1942-1945', '1942', '1945', false],
    ['1942–1945', '1942', '1945', false],
    ['1938-39', '1938', '1939', false],
    ['Spring 1943', '1943-03', '1943-05', false],
    ['March 1, 1942', '1942-03-01', '1942-03-01', false],
    ['12 June 1955', '1955-06-12', '1955-06-12', false],
    ['August 1951', '1951-08', '1951-08', false],
    ['1942-03', '1942-03', '1942-03', false],
    ['1947-02-11', '1947-02-11', '1947-02-11', false],
    ['2014-03-09 00:00:00.0', '2014-03-09', '2014-03-09', false],
    ['2014-03-09T10:21:00', '2014-03-09', '2014-03-09', false],
    ['3/9/2014', '2014-03-09', '2014-03-09', false],
    ['circa 1950', '1950', '1950', true],
    ['early 1940s', '1940', '1949', true],
    ['[1949?]', '1949', '1949', true],
    ['March 1, 1942 - April 3, 1943', '1942-03-01', '1943-04-03', false],
    ['1945-1942', '1942', '1945', false],
  ])('parses “%s”', (text, start, end, approximate) => {
    expect(parseDateRange(text)).toEqual({ start, end, approximate });
  });

  it.each(['n.d.', '', undefined, 'undated', 'before the second ferry', '13/45/1942', 'February 30, 1942', '99'])(
    'returns undefined for “%s”',
    (text) => {
      expect(parseDateRange(text)).toBeUndefined();
    },
  );

  it('never throws, and returns ranges in order', () => {
    const date = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^(c\. )?[12]\d{3}([-/ ][0-9A-Za-z]{0,6}){0,3}$/));
    fc.assert(
      fc.property(date, (text) => {
        const range = parseDateRange(text);
        if (range) {
          expect(range.start.slice(0, 4) <= range.end.slice(0, 4)).toBe(true);
          expect(range.start).toMatch(/^\d{4}(-\d\d(-\d\d)?)?$/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('parses every calendar day in three forms', () => {
    const day = fc.date({ min: new Date('1400-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString().slice(0, 10);
        const [y, m, d] = iso.split('-').map(Number);
        const words = date.toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' });
        for (const text of [iso, `${m}/${d}/${y}`, words]) expect(parseDateRange(text)).toMatchObject({ start: iso, end: iso });
      }),
    );
  });
});

describe('coveredYears', () => {
  it('returns decades, and years for short ranges only', () => {
    expect(coveredYears({ start: '1938', end: '1941-02', approximate: false })).toEqual({
      decades: [1930, 1940],
      years: [1938, 1939, 1940, 1941],
    });
    expect(coveredYears({ start: '1900', end: '1950', approximate: false })).toEqual({
      decades: [1900, 1910, 1920, 1930, 1940, 1950],
      years: [],
    });
  });
});
