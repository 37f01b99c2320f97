import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startPagefind } from './pagefind-process.ts';
import { DamagedWordsError, openPagefindIndex } from './pagefind-words.ts';

it('reads the words of each page with their places, and whether they are in its title', async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'microfiche-words-'));
  const pagefind = await startPagefind('p0');
  const contents = [
    'netq0 loftq0 netq0',
    'loftq0 q0000 ferryq0',
    Array.from({ length: 3000 }, (_, i) => `w${i % 1000}q0`).join(' '),
  ];
  for (const [i, content] of contents.entries())
    await pagefind.add({
      url: `page-${i}`,
      content: `${content} number${i}q0`,
      language: 'p0',
      meta: i === 1 ? { title: 'ferryq0' } : {},
    });
  await pagefind.write(directory.path);
  pagefind.close();
  const index = openPagefindIndex(directory.path);
  const words = new Map([...index.words()].map(({ word, pages }) => [word, pages]));
  const pageOf = (i: number) => words.get(`number${i}q0`)?.[0]?.page;
  expect(words.get('netq0')).toEqual([{ page: pageOf(0), places: [0, 2], weight: expect.closeTo(2), isInTitle: false }]);
  expect(words.get('loftq0')?.map(({ page, places }) => [page, places])).toEqual(
    [
      [pageOf(0), [1]],
      [pageOf(1), [0]],
    ].sort(([a], [b]) => Number(a) - Number(b)),
  );
  expect(words.get('ferryq0')?.map(({ isInTitle }) => isInTitle)).toEqual([true]);
  expect(words.get('w7q0')?.map(({ places }) => places)).toEqual([[7, 1007, 2007]]);
  expect([...words.keys()]).toEqual([...words.keys()].toSorted());
  expect(index.lengths.map(Number).sort((a, b) => a - b)).toEqual([4, 4, 3001]);
});

/** CBOR of numbers, texts and arrays, as Pagefind writes it, and of what it does not write. */
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.nat(23).map((number) => Buffer.from([number])),
    fc.nat(23).map((number) => Buffer.from([32 | number])),
    fc
      .string({ maxLength: 20, unit: fc.constantFrom('a', 'q', '0', '/', '.') })
      .map((text) => Buffer.concat([Buffer.from([0x78, text.length]), Buffer.from(text)])),
    fc
      .array(tie('value') as fc.Arbitrary<Buffer>, { maxLength: 6 })
      .map((items) => Buffer.concat([Buffer.from([0x80 | items.length]), ...items])),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  ),
})).value as fc.Arbitrary<Buffer>;

it('refuses files that another person has damaged, and nothing else happens', () => {
  fc.assert(
    fc.property(anyValue, anyValue, (list, words) => {
      using directory = mkdtempDisposableSync(join(tmpdir(), 'microfiche-words-'));
      const signed = (content: Buffer) => gzipSync(Buffer.concat([Buffer.from('pagefind_dcd'), content]));
      mkdirSync(join(directory.path, 'index'));
      writeFileSync(join(directory.path, 'p0.pf_meta'), signed(list));
      writeFileSync(join(directory.path, 'index/a.pf_index'), signed(words));
      try {
        const index = openPagefindIndex(directory.path);
        expect(index.lengths.every((length) => typeof length === 'number')).toBe(true);
        for (const { word, pages } of index.words()) {
          expect(word).toEqual(expect.any(String));
          for (const { page, places } of pages) expect([page, ...places].every(Number.isSafeInteger)).toBe(true);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedWordsError);
      }
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['no list of pages', () => undefined],
  ['no gzip', (directory: string) => writeFileSync(join(directory, 'p0.pf_meta'), 'x')],
  [
    'a number of items beyond its end',
    (directory: string) =>
      writeFileSync(join(directory, 'p0.pf_meta'), gzipSync(Buffer.from('pagefind_dcd\x9a\xff\xff\xff\xff', 'latin1'))),
  ],
])('refuses an index with %s', (_, write) => {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'microfiche-words-'));
  write(directory.path);
  expect(() => openPagefindIndex(directory.path)).toThrow(DamagedWordsError);
});
