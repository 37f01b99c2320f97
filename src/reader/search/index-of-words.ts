/** Searches words in the parts of an index together. */
import { cached } from '../../formats/cached.ts';
import type { IndexPart } from '../../formats/search/facet-table.ts';
import type { FoundFragment, Pagefind } from './index-parts.ts';
import type { FoundDocument, WordIndex } from './word-index.ts';

const NO_FILTERS = { filters: {}, sort: {} };

/** Searches whose results are in memory, and documents in them: those of a query with some words. */
const MAX_RECENT = 12;
const MAX_RECENT_DOCUMENTS = 400_000;

/** The scores of the documents with a word, by the documents. */
type Scores = ReadonlyMap<number, number>;

/**
 * Returns the index of words of several parts. `documentOf` returns the document with a fragment of some name; undefined if it is
 * outdated in its part, so that it is not found.
 */
export function createIndexOfWords(
  pagefind: Pick<Pagefind, 'preload' | 'search'>,
  parts: ReadonlyArray<Pick<IndexPart, 'name' | 'documents'>>,
  documentOf: (fragment: string) => number | undefined,
): WordIndex<FoundDocument> {
  const total = parts.reduce((count, { documents }) => count + documents, 0);

  /** Several steps of a query search the same word. */
  const searchOne = cached(MAX_RECENT, async (code) => toScores((await pagefind.search(code, NO_FILTERS)).results), {
    total: MAX_RECENT_DOCUMENTS,
    sizeOf: ({ size }) => size,
  });

  /** Returns the documents that have all words. Pagefind's score for several words is that of all of them added up. */
  async function searchSeveral(codes: readonly string[]): Promise<FoundDocument[]> {
    const [fewest = new Map(), ...others] = (await Promise.all(codes.map(searchOne))).sort((a, b) => a.size - b.size);
    const found: FoundDocument[] = [];
    for (const [document, own] of fewest) {
      let score = own;
      for (const scores of others) score += scores.get(document) ?? Number.NaN;
      if (!Number.isNaN(score)) found.push({ document, score });
    }
    return found;
  }

  /**
   * Leaves out outdated documents, and makes the scores of all parts comparable: Pagefind gives more for a word that is rare in
   * its part, so that documents of a small part would always be the last.
   */
  function toScores(results: readonly FoundFragment[]): Scores {
    const names = results.map(({ id }) => partOf(id));
    const frequencies = new Map<string, number>();
    for (const name of names) frequencies.set(name, (frequencies.get(name) ?? 0) + 1);
    const inAllParts = rarity(total, results.length);
    const factors = new Map(
      parts.map(({ name, documents }) => [name, inAllParts / rarity(documents, frequencies.get(name) ?? 0)] as const),
    );
    const scores = new Map<number, number>();
    for (const [i, { id, score }] of results.entries()) {
      const document = documentOf(id);
      const factor = parts.length < 2 ? 1 : (factors.get(names[i] as string) ?? 1);
      if (document !== undefined) scores.set(document, score * factor);
    }
    return scores;
  }

  return {
    loaded: new Set(),
    preload: (codes) => pagefind.preload(codes),
    async search(codes) {
      if (!codes.startsWith('"')) return searchSeveral([...new Set(codes.split(' '))]);
      const { results } = await pagefind.search(codes, NO_FILTERS);
      return results.flatMap(({ id, score }) => {
        const document = documentOf(id);
        return document === undefined ? [] : [{ document, score }];
      });
    },
  };
}

/** Returns the weight of a word in `matching` of `total` documents: BM25's inverse document frequency, as in Pagefind. */
function rarity(total: number, matching: number): number {
  return Math.log(1 + (total - matching + 0.5) / (matching + 0.5));
}

function partOf(id: string): string {
  return id.slice(0, id.indexOf('_'));
}
