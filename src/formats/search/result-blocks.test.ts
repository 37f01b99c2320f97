import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeResults, decodeStored, encodeResults } from './result-blocks.ts';

const result = fc.record({
  number: fc.nat(3_000_000),
  page: fc.string({ unit: 'binary' }),
  meta: fc.record({
    title: fc.string({ unit: 'binary' }),
    kind: fc.constantFrom('entity', 'file'),
    image: fc.webPath(),
    description: fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\u2028', '"', '\\', '𠮷') }),
    fields: fc.array(fc.tuple(fc.constant('topics'), fc.string())),
  }),
});

it('gives what results show by their numbers', () => {
  fc.assert(
    fc.property(fc.uniqueArray(result, { selector: ({ number }) => number }), (results) => {
      const stored = results.map(({ meta, ...own }) => ({ ...own, shown: JSON.stringify(meta) }));
      const pieces = new Map(encodeResults(stored).map(({ name, data }) => [name, data]));
      expect([...decodeResults(pieces)]).toEqual(results.map(({ number, page, meta }) => [number, { url: page, meta }]));
      expect(decodeStored(pieces)).toEqual(stored);
    }),
  );
});
