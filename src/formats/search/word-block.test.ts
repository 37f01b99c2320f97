import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decodePlaces,
  decodePostings,
  decodeWords,
  dividePlaces,
  encodeBlock,
  encodePlaces,
  filterPlaces,
  joinPlaces,
  type PlacesOfWord,
  type WordToWrite,
} from './word-block.ts';

const TOTAL = 3_000_000;
const ascending = (values: number[]) => [...new Set(values)].sort((a, b) => a - b);
const documents = (total: number) => fc.array(fc.nat(total - 1), { minLength: 1, maxLength: 60 }).map(ascending);

const words = fc
  .record({
    total: fc.constantFrom(20, 300, TOTAL),
    texts: fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', '港', '𠮷', '#'), minLength: 1 }), { minLength: 1 }),
  })
  .chain(({ total, texts }) =>
    fc.tuple(
      fc.constant(total),
      ...texts.sort().map((word) =>
        documents(total).chain((own) => {
          const each = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: own.length, maxLength: own.length });
          return fc.record({
            word: fc.constant(word),
            documents: fc.constant(own),
            weights: each(fc.integer({ min: 1, max: 255 })),
            places: each(fc.array(fc.nat(500_000), { maxLength: 5 }).map(ascending)),
          });
        }),
      ),
    ),
  );
const toLists = ({ starts, places }: PlacesOfWord) =>
  Array.from(starts.subarray(1), (end, i) => [...places.subarray(starts[i], end)]);
const toPieces = (pieces: ReturnType<typeof encodeBlock>) => new Map(pieces.map(({ name, data }) => [name, data]));

it('gives the words, documents, weights and places that were written', () => {
  fc.assert(
    fc.property(words, ([total, ...all]) => {
      const written = all as Array<Omit<WordToWrite, 'places'> & { places: number[][] }>;
      const block = written.map((own): WordToWrite => ({ ...own, places: encodePlaces(own.places) }));
      const pieces = toPieces(encodeBlock(block, total));
      const places = dividePlaces(toPieces(joinPlaces(block)));
      expect(places).toHaveLength(written.length);
      const isEven = (i: number) => i % 2 === 0;
      const read = decodeWords(pieces).map((own) => {
        const { documents, weights } = decodePostings(pieces, own);
        const wanted = documents.filter((_, i) => isEven(i));
        const ofWord = places[own.number] as Uint8Array;
        const some = toLists(decodePlaces(ofWord, documents, wanted));
        expect(toLists(decodePlaces(filterPlaces(ofWord, isEven), wanted, wanted))).toEqual(some);
        return { word: own.word, count: own.documents, documents: [...documents], weights: [...weights], some };
      });
      expect(read).toEqual(
        written.map((own) => ({
          ...{ word: own.word, count: own.documents.length, documents: own.documents, weights: own.weights },
          some: own.places.filter((_, i) => isEven(i)),
        })),
      );
    }),
    { numRuns: 300 },
  );
});
