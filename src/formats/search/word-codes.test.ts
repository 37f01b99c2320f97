import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitWords } from './searchable-text.ts';
import {
  decodeNumber,
  encodeHidden,
  encodeKey,
  encodeNumber,
  encodePrefix,
  encodeWord,
  isHiddenCode,
  isWholeCode,
  isWordCode,
  SEPARATOR,
  toHiddenCode,
} from './word-codes.ts';

const word = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: fc.constantFrom('q', '0', '1', 'a', 'é', '山', '𐐷'), minLength: 1 }),
);

it('writes words with the letters a to z and digits only', () => {
  fc.assert(
    fc.property(word, (text) => {
      expect(encodeWord(text)).toMatch(/^[a-z0-9]+$/);
    }),
  );
  expect(encodeWord('nets')).toBe('netsq0');
});

it('writes the beginnings of words, and only these, as beginnings of codes', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      const [first, second] = [a.toLowerCase().toWellFormed(), b.toLowerCase().toWellFormed()];
      expect(encodeWord(second).startsWith(encodePrefix(first))).toBe([...first].every((letter, i) => letter === [...second][i]));
      expect(encodeWord(second).startsWith(encodeWord(first))).toBe(first === second);
    }),
  );
});

it('tells whole words from beginnings, and words of text that nothing may show from others', () => {
  fc.assert(
    fc.property(fc.oneof(word, fc.string({ unit: fc.integer({ min: 0x80, max: 0xffff }).map(String.fromCodePoint) })), (text) => {
      const kinds = [encodePrefix(text), encodeWord(text), encodeHidden(text)].map((code) => [
        isWholeCode(code),
        isHiddenCode(code),
      ]);
      expect(kinds).toEqual([
        [false, false],
        [true, false],
        [true, true],
      ]);
      expect(toHiddenCode(encodeWord(text))).toBe(encodeHidden(text));
    }),
    { examples: [['侘'], ['侞'], ['a侞']], numRuns: 1000 },
  );
});

it('writes the numbers of documents as no word is written', () => {
  fc.assert(
    fc.property(fc.nat(), word, (number, text) => {
      expect(decodeNumber(encodeNumber(number))).toBe(number);
      expect([encodeNumber(number), SEPARATOR].map(isWordCode)).toEqual([false, false]);
      for (const code of [encodeWord(text), encodeHidden(text)])
        expect([decodeNumber(code), isWordCode(code)]).toEqual([undefined, true]);
    }),
  );
});

it('writes keys and separators as no word is written', () => {
  fc.assert(
    fc.property(word, (text) => {
      for (const each of splitWords(text)) {
        expect(SEPARATOR.startsWith(encodePrefix(each))).toBe(false);
        expect(encodeKey('title', text)?.startsWith(encodePrefix(each))).toBe(false);
      }
    }),
  );
});

it('has one key for a title in any order of words and without its stop words, and one ID per order', () => {
  expect(encodeKey('name', 'Vane, Leif')).toBe(encodeKey('name', 'leif  VANE'));
  expect(encodeKey('title', 'Women at a packing line')).toBe(encodeKey('title', 'women of the packing line'));
  expect(encodeKey('id', 'lica-quay-1-2')).toBe(encodeKey('id', 'LICA quay 1 2'));
  expect(encodeKey('id', 'lica-quay-1-2')).not.toBe(encodeKey('id', 'lica-quay-2-1'));
  expect(encodeKey('title', 'The')).toBeDefined();
  expect(encodeKey('title', '…')).toBeUndefined();
});
