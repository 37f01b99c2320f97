import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SEARCH_FACETS } from '../../model/facets.ts';
import {
  type Columns,
  countDocuments,
  createFilter,
  type FacetFilter,
  sortDocuments,
  yearsOfDocuments,
} from '../../reader/search/facet-filter.ts';
import { foldFiles } from '../../reader/search/fold-files.ts';
import {
  type Column,
  decodeColumn,
  decodeNumbers,
  decodeParents,
  decodeRanks,
  decodeYears,
  encodeColumn,
  encodeNumbers,
  encodeParents,
  encodeRanks,
  encodeYears,
  type Piece,
} from './facet-table.ts';

const VALUES = ['a', 'b', 'c'];
/** A search document: its values in each facet, and its years. */
const anyDocument = fc.record({
  values: fc.array(fc.subarray(VALUES), { minLength: SEARCH_FACETS.length, maxLength: SEARCH_FACETS.length }),
  years: fc.option(fc.tuple(fc.integer({ min: 1900, max: 1950 }), fc.integer({ min: 0, max: 20 }))),
});
type Doc = typeof anyDocument extends fc.Arbitrary<infer T> ? T : never;

function createColumns(documents: Doc[]): Columns {
  const column = (f: number): Column => {
    const own = documents.map(({ values }) => values[f] ?? []);
    const offsets = new Uint32Array(own.length + 1);
    for (const [i, some] of own.entries()) offsets[i + 1] = (offsets[i] ?? 0) + some.length;
    return { values: VALUES, offsets, codes: Uint32Array.from(own.flat(), (value) => VALUES.indexOf(value)) };
  };
  return new Map(SEARCH_FACETS.map((facet, f) => [facet, column(f)]));
}

const yearsOf = (documents: Doc[]) => ({
  from: Uint32Array.from(documents, ({ years }) => years?.[0] ?? 0),
  to: Uint32Array.from(documents, ({ years }) => (years ? years[0] + years[1] : 0)),
});

const piecesOf = (pieces: Piece[]) => new Map(pieces.map(({ name, data }) => [name, data]));

it('returns the same numbers after encoding and decoding', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffffffff)), (numbers) => {
      expect([...decodeNumbers(encodeNumbers(numbers))]).toEqual(numbers);
    }),
  );
  expect([...decodeNumbers(encodeNumbers([0xffffffff, 0, 0x1000000, 255]))]).toEqual([0xffffffff, 0, 0x1000000, 255]);
});

it('returns the same columns after encoding and decoding', () => {
  fc.assert(
    fc.property(fc.array(anyDocument, { maxLength: 40 }), (documents) => {
      for (const column of createColumns(documents).values()) {
        expect(decodeColumn(piecesOf(encodeColumn(column)))).toEqual(column);
        const filed = new Map(
          column.values.map((value, i) => [value, [`${value}, The`, i % 2 === 0 ? value : `${value}, The`] as const]),
        );
        expect(decodeColumn(piecesOf(encodeColumn({ ...column, filed })))).toEqual({ ...column, filed });
      }
      expect(decodeYears(piecesOf(encodeYears(yearsOf(documents))))).toEqual(yearsOf(documents));
      const ranks = Uint32Array.from(documents.keys());
      expect(decodeRanks(piecesOf(encodeRanks(ranks)))).toEqual(ranks);
    }),
  );
});

it('returns the records of files after encoding and decoding, before and after them, and in the first position', () => {
  const pair = fc.tuple(fc.nat(299), fc.nat(299)).filter(([file, record]) => file !== record);
  fc.assert(
    fc.property(fc.uniqueArray(pair, { selector: ([file]) => file }), (pairs) => {
      const records = new Map(pairs);
      const parentOf = decodeParents(piecesOf(encodeParents(records, 300)));
      const documents = Array.from({ length: 300 }, (_, document) => document);
      expect(documents.map(parentOf)).toEqual(documents.map((document) => records.get(document)));
    }),
  );
  expect(() => decodeParents(new Map())).toThrow('no distances');
});

it('filters and counts like a plain implementation', () => {
  const anyChoice = fc.record({
    chosen: fc.dictionary(fc.constantFrom(...SEARCH_FACETS), fc.subarray(VALUES, { minLength: 1 }), { maxKeys: 3 }),
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
        SEARCH_FACETS.every(
          (facet, f) =>
            facet === without || !choice.chosen[facet] || choice.chosen[facet].some((value) => values[f]?.includes(value)),
        );
      const table = { columns: createColumns(documents), years: yearsOf(documents) };
      const matching = [...documents.keys()].filter(createFilter(table, choice));
      const all = { total: documents.length, recordOf: () => undefined };
      const counts = countDocuments(table, documents.keys(), choice, SEARCH_FACETS, all);
      const some = SEARCH_FACETS.filter((_, f) => f % 3 === 0);
      expect(countDocuments(table, documents.keys(), choice, some, all)).toEqual(
        Object.fromEntries(some.map((facet) => [facet, counts[facet]])),
      );
      expect(yearsOfDocuments(table, documents.keys())).toEqual(
        documents.filter(({ years }) => years !== null).map(({ years }) => [years?.[0], (years?.[0] ?? 0) + (years?.[1] ?? 0)]),
      );
      expect(matching).toEqual([...documents.keys()].filter((i) => inYears(documents[i] as Doc) && matches(documents[i] as Doc)));
      for (const [f, facet] of SEARCH_FACETS.entries())
        for (const value of VALUES)
          expect(counts[facet]?.[value] ?? 0).toBe(
            documents.filter((doc) => inYears(doc) && matches(doc, facet) && doc.values[f]?.includes(value)).length,
          );
    }),
  );
});

it('counts as many results for each value as there are with that choice, with files in their records', () => {
  const anyChoice = fc.record({
    chosen: fc.dictionary(fc.constantFrom(...SEARCH_FACETS), fc.subarray(VALUES, { minLength: 1 }), { maxKeys: 2 }),
    from: fc.option(fc.integer({ min: 1890, max: 1970 }), { nil: undefined }),
    to: fc.constant(undefined),
  });
  const anyFound = fc.array(anyDocument, { minLength: 1, maxLength: 12 }).chain((documents) =>
    fc.record({
      documents: fc.constant(documents),
      found: fc.subarray([...documents.keys()]),
      // The even ones are records, the others files of some record, or of none.
      records: fc.array(fc.option(fc.nat(documents.length - 1)), { minLength: documents.length, maxLength: documents.length }),
    }),
  );
  fc.assert(
    fc.property(anyFound, anyChoice, ({ documents, found, records }, choice) => {
      const recordOf = (document: number) => {
        const record = document % 2 === 1 ? (records[document] ?? undefined) : undefined;
        return record === undefined || record % 2 === 1 ? undefined : record;
      };
      const table = { columns: createColumns(documents), years: yearsOf(documents) };
      const resultsOf = (filter: FacetFilter) => {
        const passes = createFilter(table, filter);
        return foldFiles(found, documents.length, recordOf, passes).documents.filter(passes).length;
      };
      const counts = countDocuments(table, found, choice, SEARCH_FACETS, { total: documents.length, recordOf });
      for (const facet of SEARCH_FACETS)
        for (const value of VALUES)
          expect(counts[facet]?.[value] ?? 0).toBe(resultsOf({ ...choice, chosen: { ...choice.chosen, [facet]: [value] } }));
    }),
  );
});

it('sorts by ranks', () => expect(sortDocuments(Uint32Array.of(3, 2, 1), [0, 2, 1])).toEqual([2, 1, 0]));
