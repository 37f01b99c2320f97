/** Searches words in the parts of an index together. */
import { cached } from './cached.ts';
import type { IndexPart } from './facet-table.ts';
import type { Pagefind } from './index-parts.ts';
import type { FoundDocument, WordIndex } from './word-index.ts';

const NO_FILTERS = { filters: {}, sort: {} };

/** Searches whose results are in memory, and documents in them: those of a query with some words. */
const MAX_RECENT = 12;
const MAX_RECENT_DOCUMENTS = 400_000;

/**
 * Returns the index of words of several parts. `isCurrent` gets the name of a fragment; documents for which it returns false are
 * outdated in their part, and are not found.
 */
export function createIndexOfWords(
  pagefind: Pick<Pagefind, 'preload' | 'search'>,
  parts: ReadonlyArray<Pick<IndexPart, 'name' | 'documents'>>,
  isCurrent: (id: string) => boolean,
): WordIndex<FoundDocument> {
  const sizes = new Map(parts.map(({ name, documents }) => [name, documents]));
  const total = addUp(sizes.values());

  async function searchAllParts(codes: string): Promise<FoundDocument[]> {
    const { results } = await pagefind.search(codes, NO_FILTERS);
    return results.map(({ id, score }): FoundDocument => ({ id, score }));
  }

  /** Several steps of a query search the same word. */
  const searchOne = cached(MAX_RECENT, async (code) => toCurrent(await searchAllParts(code)), {
    total: MAX_RECENT_DOCUMENTS,
    sizeOf: ({ length }) => length,
  });

  /** Returns the documents that have all words. Pagefind's score for several words is that of all of them added up. */
  async function searchSeveral(codes: readonly string[]): Promise<FoundDocument[]> {
    const [fewest = [], ...others] = (await Promise.all(codes.map(searchOne))).sort((a, b) => a.length - b.length);
    const scores = others.map((documents) => new Map(documents.map(({ id, score }) => [id, score])));
    return fewest.flatMap((document) => {
      let { score } = document;
      for (const own of scores) score += own.get(document.id) ?? Number.NaN;
      return Number.isNaN(score) ? [] : { ...document, score };
    });
  }

  /**
   * Leaves out outdated documents, and makes the scores of all parts comparable: Pagefind gives more for a word that is rare in its part, so that
   * documents of a small part would always be the last.
   */
  function toCurrent(results: readonly FoundDocument[]): FoundDocument[] {
    const current = results.filter(({ id }) => isCurrent(id));
    if (sizes.size < 2) return current;
    const frequencies = new Map<string, number>();
    for (const { id } of results) frequencies.set(partOf(id), (frequencies.get(partOf(id)) ?? 0) + 1);
    const inAllParts = rarity(total, results.length);
    const factors = new Map<string, number>();
    for (const [part, size] of sizes) factors.set(part, inAllParts / rarity(size, frequencies.get(part) ?? 0));
    return current.map(({ id, score }) => ({ id, score: score * (factors.get(partOf(id)) ?? 1) }));
  }

  return {
    loaded: new Set(),
    preload: (codes) => pagefind.preload(codes),
    async search(codes) {
      if (codes.startsWith('"')) return (await searchAllParts(codes)).filter(({ id }) => isCurrent(id));
      return searchSeveral([...new Set(codes.split(' '))]);
    },
  };
}

/** Returns how much a word counts that `matching` of `total` documents have: the inverse document frequency of BM25, as Pagefind computes it. */
function rarity(total: number, matching: number): number {
  return Math.log(1 + (total - matching + 0.5) / (matching + 0.5));
}

function addUp(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function partOf(id: string): string {
  return id.slice(0, id.indexOf('_'));
}
