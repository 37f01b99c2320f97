import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stripIllegible } from '../../model/text/legible.ts';
import { stripIllegibleBytes } from './render-page.ts';

/** Illegible characters, and those beside them. */
const EDGES = [
  0x00, 0x08, 0x09, 0x0b, 0x0c, 0x0d, 0x0e, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0x85, 0x9f, 0xa0, 0x2029, 0x202a, 0x202e, 0x202f,
  0x2065, 0x2066, 0x2069, 0x206a, 0xfdcf, 0xfdd0, 0xfdef, 0xfdf0, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x1fffe, 0x10ffff,
].map((code) => String.fromCodePoint(code));

it('removes the same characters as stripIllegible does from text', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...EDGES), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
  });
  fc.assert(
    fc.property(text, (any) => {
      const utf8 = Buffer.from(any);
      expect(stripIllegibleBytes(utf8).toString()).toBe(stripIllegible(utf8.toString()));
    }),
    { numRuns: 2000 },
  );
});

it('returns the same bytes if nothing is removed', () => {
  const utf8 = Buffer.from('Île aux Phoques, 山田 花子\n');
  expect(stripIllegibleBytes(utf8)).toBe(utf8);
});
