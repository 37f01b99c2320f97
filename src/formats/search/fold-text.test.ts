import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findText } from './fold-text.ts';

const matches = (text: string, words: string) => findText(text, words).map(([start, end]) => text.slice(start, end));

it.each([
  ['The whistle, the WHISTLE', 'whistle', ['whistle', 'WHISTLE']],
  ['Île aux Phoques', 'ile aux', ['Île aux']],
  ['went\n  at five', 'went at', ['went\n  at']],
  ['five', '', []],
  ['汽笛が鳴り', '汽笛', ['汽笛']],
  ['aaaa', 'aa', ['aa', 'aa']],
  ['かきがき', 'かき', ['かき']],
  ['ﬁsh', 'f', ['ﬁ']],
  ['\u06de 12', '\u06de', ['\u06de']], // a sign among the marks of Arabic
  ['a\u05bec', 'a\u05bec', ['a\u05bec']], // a hyphen among the points of Hebrew
  ['한글', '하', []],
  ['e\u0301te\u0301', 'ete', ['e\u0301te\u0301']],
])('finds in %j the words %j', (text, words, expected) => {
  expect(matches(text, words)).toEqual(expected);
});

it('finds every part of a text in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), fc.nat(), (text, from, length) => {
      const characters = [...text];
      const start = from % characters.length;
      const words = characters.slice(start, start + 1 + (length % 5)).join('');
      // What is not seen is in no word.
      fc.pre(words.normalize('NFKD').replace(/[\p{M}\p{Cf}\s\u0640]/gu, '') !== '');
      expect(findText(text, words).length).toBeGreaterThan(0);
    }),
  );
});
