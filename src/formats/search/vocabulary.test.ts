import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeWords, encodeWords, readVocabulary, type VocabularyWord } from './vocabulary.ts';

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

it('returns all words of all packs, regardless of how they are divided', async () => {
  await fc.assert(
    fc.asyncProperty(words, fc.integer({ min: 1, max: 6 }), async (list, size) => {
      const packs = Map.groupBy(list, (entry) => String(Math.floor(list.indexOf(entry) / size)));
      const ranges = Array.from(packs, ([pack, [first]]) => [first?.word ?? '', pack] as const);
      expect(await readVocabulary(ranges, async (pack) => encodeWords(packs.get(pack) ?? []))).toEqual(list);
    }),
    { numRuns: 50 },
  );
  await expect(readVocabulary([['a', '0']], () => Promise.reject(new Error('not found')))).rejects.toThrow('not found');
});
