import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SearchedPage } from './create-document.ts';
import { DELTA, divideEvenly, isKept, type PlannedPart, planParts } from './plan-parts.ts';

const LIMITS = { documentsInPart: 10, documentsForDelta: 5 };
const pageOf = (name: string): SearchedPage => ({ kind: 'object', name, path: name });

it('divides documents evenly, and has a part even without documents', () => {
  const sizes = (count: number) =>
    divideEvenly(
      Array.from({ length: count }, (_, i) => pageOf(`${i}`)),
      LIMITS,
    ).map(({ pages }) => pages.length);
  expect([sizes(0), sizes(10), sizes(11), sizes(25)]).toEqual([[0], [10], [6, 5], [8, 9, 8]]);
});

/** A site: the version of each document by its page. */
type SiteState = Map<string, number>;
/** An index as it would be written: the version of each document, by part and page. */
type Index = Map<string, Map<string, string>>;

/** Brings an index up to date as a build does. Returns the index and the names of the parts that were made. */
function update(index: Index, site: SiteState): { index: Index; made: string[]; planned: PlannedPart[] } {
  const isKnown = new Set([...index.values()].flatMap((documents) => [...documents.keys()]));
  const hashOf = ({ path }: SearchedPage) => (isKnown.has(path) ? String(site.get(path)) : undefined);
  const planned = planParts([...site.keys()].sort().map(pageOf), { parts: index, hashOf }, LIMITS);
  const made = planned.filter((part) => !isKept(part, index.get(part.name), hashOf));
  const written = new Map(
    planned.map((part) => {
      const now = new Map(part.pages.map(({ path }) => [path, String(site.get(path))]));
      const kept = new Map(index.get(part.name));
      for (const page of part.erased ?? []) kept.delete(page);
      return [part.name, made.includes(part) ? now : kept];
    }),
  );
  return { index: written, made: made.map(({ name }) => name), planned };
}

const anyChange = fc.record({
  changed: fc.array(fc.nat(60), { maxLength: 4 }),
  added: fc.array(fc.nat(60), { maxLength: 4 }),
  removed: fc.array(fc.nat(60), { maxLength: 2 }),
});

it('always has each current document once, no removed one, and as much in the delta as is allowed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50 }), fc.array(anyChange, { maxLength: 8 }), (count, changes) => {
      const site: SiteState = new Map(Array.from({ length: count }, (_, i) => [`d${i}`, 0]));
      let { index } = update(new Map(), site);
      for (const { changed, added, removed } of changes) {
        for (const i of changed) if (site.has(`d${i}`)) site.set(`d${i}`, (site.get(`d${i}`) ?? 0) + 1);
        for (const i of added) site.set(`d${i}`, site.get(`d${i}`) ?? 0);
        for (const i of removed) site.delete(`d${i}`);
        const before = index;
        const result = update(before, site);
        index = result.index;
        const current = new Map([...index.values()].flatMap((documents) => [...documents])); // the delta is the last
        expect(current).toEqual(new Map(Array.from(site, ([page, version]) => [page, String(version)])));
        expect(index.get(DELTA)?.size ?? 0).toBeLessThanOrEqual(site.size * 0.1);
        const base = [...index].filter(([name]) => name !== DELTA).flatMap(([, documents]) => [...documents.keys()]);
        expect(new Set(base).size).toBe(base.length);
        for (const name of result.made) expect(index.get(name)).not.toEqual(before.get(name));
        expect(update(index, site).made).toEqual([]);
        if (!index.has(DELTA) && result.planned.every(({ erased }) => !erased))
          expect(index).toEqual(update(new Map(), site).index);
      }
    }),
    { numRuns: 300 },
  );
});

it('makes only the delta for a change of a few documents, and erases one that was removed', () => {
  const site: SiteState = new Map(Array.from({ length: 40 }, (_, i) => [`d${i + 10}`, 0]));
  const first = update(new Map(), site);
  expect(first.made).toEqual(['p0', 'p1', 'p2', 'p3']);
  site.set('d12', 1);
  const second = update(first.index, site);
  expect(second.made).toEqual([DELTA]);
  site.delete('d35');
  const third = update(second.index, site);
  expect([third.made, third.planned.map(({ erased }) => erased)]).toEqual([[], [[], [], ['d35'], [], undefined]]);
  site.set('d12', 0);
  const fourth = update(update(second.index, site).index, site);
  expect([fourth.made, [...fourth.index.keys()]]).toEqual([[], ['p0', 'p1', 'p2', 'p3', DELTA]]);
});

it('has no delta in a small site', () => {
  const site: SiteState = new Map(Array.from({ length: 4 }, (_, i) => [`d${i}`, 0]));
  const { index } = update(new Map(), site);
  site.set('d1', 1);
  const changed = update(index, site);
  expect([changed.made, [...changed.index.keys()]]).toEqual([['p0'], ['p0']]);
});
