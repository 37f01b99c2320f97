import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toLegible, toLegibleJson, toOneLine } from './legible.ts';

it.each([
  ['a\u0000b\u0007c\u001bd\u009fe', 'abcde'],
  ['tab\tline\nreturn\r stay', 'tab\tline\nreturn\r stay'],
  ['form\u000cfeed\u000btab\u0085next', 'form feed tab next'],
  ['right\u202eto\u2066left\u2069', 'righttoleft'],
  ['half \ud83d a pair', 'half \ufffd a pair'],
  ['non\uffff\ufffe\ufdd0\u{1ffff}\u{10fffe}characters', 'noncharacters'],
  ['ن\u200cی क्\u200dष א\u200f 😀', 'ن\u200cی क्\u200dष א\u200f 😀'],
])('shows %j as %j', (text, shown) => expect(toLegible(text)).toBe(shown));

it('returns only characters that XML 1.0 allows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(toLegible(text)).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
    }),
    { numRuns: 2000 },
  );
});

it('limits the marks per letter to 30, so that text with a million marks is normalized in time', () => {
  const start = process.cpuUsage();
  expect(toLegible(`a${'\u0301\u0316'.repeat(500_000)}b`).normalize('NFKD')).toHaveLength(32);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
});

it('finds too many marks at any position', () => {
  const mark = fc.constantFrom('\u0301', '\u20d0', '\u{1d165}');
  fc.assert(
    fc.property(fc.nat(100), fc.integer({ min: 31, max: 90 }), mark, (before, marks, character) => {
      expect(toLegible(`${'山'.repeat(before)}a${character.repeat(marks)}b`)).toBe(
        `${'山'.repeat(before)}a${character.repeat(30)}b`,
      );
    }),
  );
});

it('toOneLine joins lines', () => expect(toOneLine(' a\r\nTY  - \u2028b ')).toBe('a TY - b'));

it('legibleJson returns equivalent JSON', () => {
  const value = { a: 'x\u202ey\ud800\uffff\u{1ffff}\u200f', b: ['\u0000', 'é'] };
  const json = toLegibleJson(JSON.stringify(value));
  expect(json).not.toMatch(/[\u202e\uffff\u200f]/);
  expect(JSON.parse(json)).toEqual(value);
});
