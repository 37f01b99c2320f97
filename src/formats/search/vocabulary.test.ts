import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createVocabulary, decodeWords, encodeWords, type VocabularyWord } from './vocabulary.ts';

const words = fc
  .uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'n', 'q', '1', 'é', '山', '𐐷', '𐐸'), minLength: 1, maxLength: 50 }))
  .map((list) => list.sort().map((word, i): VocabularyWord => ({ word, documents: i % 40 })));

it('encodes words so that they can be decoded', () => {
  fc.assert(
    fc.property(words, (list) => {
      expect(decodeWords(encodeWords(list))).toEqual(list);
    }),
  );
});

it('finds words and the words that begin with others, regardless of how they are divided', async () => {
  await fc.assert(
    fc.asyncProperty(
      words,
      fc.nat({ max: 5 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', '山', '𐐷'), maxLength: 3 }),
      async (list, size, text) => {
        const parts = new Map<string, VocabularyWord[]>();
        for (const [i, entry] of list.entries()) {
          const pack = String(Math.floor(i / (size + 1)));
          parts.set(pack, [...(parts.get(pack) ?? []), entry]);
        }
        const ranges = [...parts].map(([pack, [first]]) => [first?.word ?? '', pack] as const);
        const vocabulary = createVocabulary(ranges, async (pack) => encodeWords(parts.get(pack) ?? []));
        expect(await vocabulary.findByPrefix(text)).toEqual(list.filter(({ word }) => word.startsWith(text)));
        expect(await vocabulary.find(text)).toEqual(list.find(({ word }) => word === text));
        expect(await vocabulary.listAll()).toEqual(list);
      },
    ),
    { numRuns: 50 },
  );
});

it('loads only the packs that it needs, and a failed one again', async () => {
  const loaded: string[] = [];
  let fails = true;
  const vocabulary = createVocabulary(
    [
      ['a', '0'],
      ['m', '1'],
      ['t', '2'],
    ],
    async (pack) => {
      loaded.push(pack);
      if (fails) throw new Error('not found');
      return encodeWords([{ word: 'net', documents: 2 }]);
    },
  );
  await expect(vocabulary.find('net')).rejects.toThrow('not found');
  fails = false;
  expect(await vocabulary.find('net')).toEqual({ word: 'net', documents: 2 });
  expect(await vocabulary.findByPrefix('ne')).toHaveLength(1);
  expect(loaded).toEqual(['1', '1']);
});
