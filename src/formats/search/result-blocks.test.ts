import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeResults, encodeResults } from './result-blocks.ts';

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
    fc.property(fc.uniqueArray(result, { minLength: 1, selector: ({ number }) => number }), (results) => {
      const pieces = encodeResults(results.map(({ meta, ...own }) => ({ ...own, shown: JSON.stringify(meta) })));
      const decoded = decodeResults(new Map(pieces.map(({ name, data }) => [name, data])));
      expect([...decoded]).toEqual(results.map(({ number, page, meta }) => [number, { url: page, meta }]));
    }),
  );
});
