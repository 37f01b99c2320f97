import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startPagefind } from './pagefind-process.ts';
import { openPagefindIndex } from './pagefind-words.ts';

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
