import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filedName } from './filing.ts';

it.each([
  ['Russell K. Ikeda, Jr.', 'Ikeda, Russell K., Jr.'],
  ['Ikeda, Russell K., Jr., 1920–1985', 'Ikeda, Russell K., Jr., 1920–1985'],
  ['Leif Vane', 'Vane, Leif'],
  ['Vane, Leif', 'Vane, Leif'],
  ['Vincent van der Berg', 'Berg, Vincent van der'],
  ['The Lantern Society', 'Lantern Society, The'],
  ['Quay Street Methodist Church', 'Quay Street Methodist Church'],
  ['Ikeda family', 'Ikeda family'],
  ['太田 次郎', '太田 次郎'],
  ['unknown', 'unknown'],
  ['', ''],
])('shows %o as %o', (name, shown) => {
  expect(filedName(name).shown).toBe(shown);
});

it.each([
  ['نجيب المحفوظ', 'محفوظ, نجيب'],
  ['الجمعية', 'جمعية'],
  ['ألبرت حوراني', 'حوراني, ألبرت'],
])('files an Arabic name without its article: %s', (name, sort) => {
  expect(filedName(name)).toMatchObject({ shown: name, sort });
});

it('sorts by surname, given name and generation', () => {
  const names = [
    'The Lantern Society',
    'Vanes, Ada',
    'Vane, Leif, III',
    'Leif Vane, Jr.',
    'Leif Vane',
    'Leif Vane, Sr.',
    'Ada Vane',
    'Vincent van der Berg',
    'Kite, Club of',
    'Harbor Kite Club',
  ];
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sorted = names.map(filedName).sort((a, b) => compare(a.sort, b.sort));
  expect(sorted.map(({ shown }) => shown)).toEqual([
    'Berg, Vincent van der',
    'Harbor Kite Club',
    'Kite, Club of',
    'Lantern Society, The',
    'Vane, Ada',
    'Vane, Leif',
    'Vane, Leif, Sr.',
    'Vane, Leif, Jr.',
    'Vane, Leif, III',
    'Vanes, Ada',
  ]);
});

it('sorts both forms of a name by the same key', () => {
  expect(filedName('Vane, Leif').sort).toBe(filedName('Leif Vane').sort);
});

it('files any text, and keeps all of its letters', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { shown, sort } = filedName(text);
      expect(typeof sort).toBe('string');
      expect(shown === '' && /\p{L}/u.test(text)).toBe(false);
    }),
  );
});
