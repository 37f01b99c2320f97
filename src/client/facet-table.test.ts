import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Column,
  decodeTable,
  encodeTable,
  FACETS,
  type FacetTable,
  type SearchFacet,
  selectDocuments,
  sortDocuments,
} from './facet-table.ts';

const VALUES = ['a', 'b', 'c'];
/** A search document: its values in each facet, and its years. */
const anyDocument = fc.record({
  values: fc.array(fc.subarray(VALUES), { minLength: FACETS.length, maxLength: FACETS.length }),
  years: fc.option(fc.tuple(fc.integer({ min: 1900, max: 1950 }), fc.integer({ min: 0, max: 20 }))),
});
type Doc = typeof anyDocument extends fc.Arbitrary<infer T> ? T : never;

function createTable(documents: Doc[]): FacetTable {
  const column = (f: number): Column => {
    const own = documents.map(({ values }) => values[f] ?? []);
    const offsets = new Uint32Array(own.length + 1);
    for (const [i, some] of own.entries()) offsets[i + 1] = (offsets[i] ?? 0) + some.length;
    return { values: VALUES, offsets, codes: Uint32Array.from(own.flat(), (value) => VALUES.indexOf(value)) };
  };
  return {
    ids: documents.map((_, i) => `en_${i}`),
    facets: Object.fromEntries(FACETS.map((facet, f) => [facet, column(f)])) as Record<SearchFacet, Column>,
    from: Uint16Array.from(documents, ({ years }) => years?.[0] ?? 0),
    to: Uint16Array.from(documents, ({ years }) => (years ? years[0] + years[1] : 0)),
    title: Uint32Array.from(documents, (_, i) => documents.length - i),
    date: Uint32Array.from(documents, (_, i) => i),
  };
}

it('returns the same table after encoding and decoding', () => {
  fc.assert(
    fc.property(fc.array(anyDocument, { maxLength: 40 }), (documents) => {
      const table = createTable(documents);
      expect(decodeTable(new Map(encodeTable(table).map(({ name, data }) => [name, data])))).toEqual(table);
    }),
  );
});

it('filters and counts like a plain implementation', () => {
  const anyChoice = fc.record({
    chosen: fc.dictionary(fc.constantFrom(...FACETS), fc.subarray(VALUES, { minLength: 1 }), { maxKeys: 3 }),
    from: fc.option(fc.integer({ min: 1890, max: 1970 }), { nil: undefined }),
    to: fc.option(fc.integer({ min: 1890, max: 1970 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(anyDocument, { maxLength: 40 }), anyChoice, (documents, choice) => {
      const inYears = ({ years }: Doc) =>
        (choice.from === undefined && choice.to === undefined) ||
        (years !== null &&
          (choice.to === undefined || years[0] <= choice.to) &&
          (choice.from === undefined || years[0] + years[1] >= choice.from));
      const matches = ({ values }: Doc, without?: string) =>
        FACETS.every(
          (facet, f) =>
            facet === without || !choice.chosen[facet] || choice.chosen[facet].some((value) => values[f]?.includes(value)),
        );
      const { matching, counts } = selectDocuments(createTable(documents), documents.keys(), choice);
      expect(matching).toEqual([...documents.keys()].filter((i) => inYears(documents[i] as Doc) && matches(documents[i] as Doc)));
      for (const [f, facet] of FACETS.entries())
        for (const value of VALUES)
          expect(counts[facet]?.[value] ?? 0).toBe(
            documents.filter((doc) => inYears(doc) && matches(doc, facet) && doc.values[f]?.includes(value)).length,
          );
    }),
  );
});

it('sorts by date and by title', () => {
  const table = createTable([1, 2, 3].map(() => ({ values: FACETS.map(() => []), years: null })));
  expect(sortDocuments(table, [0, 2, 1], 'date')).toEqual([0, 1, 2]);
  expect(sortDocuments(table, [0, 2, 1], 'title')).toEqual([2, 1, 0]);
});
