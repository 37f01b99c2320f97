import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { spellEastAsian } from './east-asian.ts';
import { eastAsian } from './fold-letters.ts';
import { findText } from './fold-text.ts';
import { CLUSTER } from './searchable-text.ts';

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
  ['한글'.normalize('NFD'), '글', ['글'.normalize('NFD')]],
  ['Kaʻū', 'kau', ['Kaʻū']],
  ['ʻUkulele', 'uku', ['ʻUku']],
  ["Hawaiʻi, Hawai'i", 'hawaii', ['Hawaiʻi', "Hawai'i"]],
  ['Ch‘oe, choe', 'Ch’oe', ['Ch‘oe', 'choe']],
  ['L’Île-d’Orléans', "ile-d'orleans", ['Île-d’Orléans']],
  ['rock ’n’ roll', "rock 'n", ['rock ’n']],
  ["don't", "don'", ["don'"]],
  ['צה״ל', 'צה"ל', ['צה״ל']],
  ['הר מסילה', 'מסיל', ['מסיל']],
  ['في الميناء', 'ميناء', ['ميناء']],
  ['شئون', 'شؤون', ['شئون']],
  ['ที่นํ้าท่วม', 'น้ำ', ['นํ้า']],
  ['हिन्दी', 'हिंदी', ['हिन्दी']],
  ['می‌روم', 'میروم', ['می‌روم']],
  ['ԵՐԵՎԱՆ', 'Երևան', ['ԵՐԵՎԱՆ']],
  ['e\u0301te\u0301', 'ete', ['e\u0301te\u0301']],
])('finds in %j the words %j', (text, words, expected) => {
  expect(matches(text, words)).toEqual(expected);
});

afterEach(() => {
  eastAsian.spell = (folded) => folded;
});

it.each([
  ['臺灣鐵路', '铁路', ['鐵路']],
  ['广州旧城', '廣州', ['广州']],
  ['大人のラジオ体操', 'ﾗｼﾞｵ', ['ラジオ']],
  ['コンピューターと', 'コンピュータ', ['コンピューター']],
])('finds in %j the words %j in another spelling', (text, words, expected) => {
  eastAsian.spell = spellEastAsian;
  expect(matches(text, words)).toEqual(expected);
});

it('finds every part of a text in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), fc.nat(), (text, from, length) => {
      const characters = text.match(CLUSTER) ?? [];
      const start = from % characters.length;
      const words = characters.slice(start, start + 1 + (length % 5)).join('');
      // What is not seen is in no word.
      fc.pre(words.normalize('NFKD').replace(/[\p{M}\p{Cf}\s\u0640]/gu, '') !== '');
      expect(findText(text, words).length).toBeGreaterThan(0);
    }),
  );
});
