/** Searches words in the parts of an index together. */
import type { IndexPart } from './facet-table.ts';
import type { Pagefind } from './index-parts.ts';
import type { FoundDocument, WordIndex } from './word-index.ts';

const NO_FILTERS = { filters: {}, sort: {} };

/** How many documents of each part have a word. */
type Frequencies = ReadonlyMap<string, number>;

/**
 * Returns the index of words of several parts. `isCurrent` gets the name of a fragment; documents for which it returns false are
 * outdated in their part, and are not found.
 */
export function createIndexOfWords(
  pagefind: Pick<Pagefind, 'preload' | 'search'>,
  parts: readonly IndexPart[],
  isCurrent: (id: string) => boolean,
): WordIndex<FoundDocument> {
  const sizes = new Map(parts.map(({ name, documents }) => [name, documents]));
  const total = addUp(sizes.values());
  const frequenciesByCode = new Map<string, Frequencies>();

  async function searchAllParts(codes: string): Promise<FoundDocument[]> {
    return (await pagefind.search(codes, NO_FILTERS)).results;
  }

  /** Searches one word, and remembers which parts have it. */
  async function searchOne(code: string): Promise<FoundDocument[]> {
    const results = await searchAllParts(code);
    const frequencies = new Map<string, number>();
    for (const { id } of results) frequencies.set(partOf(id), (frequencies.get(partOf(id)) ?? 0) + 1);
    frequenciesByCode.set(code, frequencies);
    return toCurrent(results, [frequencies]);
  }

  /** Searches several words. Pagefind ignores a word that a part does not have, if the part has another word of the query. */
  async function searchSeveral(codes: readonly string[]): Promise<FoundDocument[]> {
    for (const code of codes) if (!frequenciesByCode.has(code)) await searchOne(code);
    const frequencies = codes.map((code) => frequenciesByCode.get(code) as Frequencies);
    const hasAll = new Set([...sizes.keys()].filter((part) => frequencies.every((own) => own.has(part))));
    const results = await searchAllParts(codes.join(' '));
    return toCurrent(
      results.filter(({ id }) => hasAll.has(partOf(id))),
      frequencies,
    );
  }

  /**
   * Leaves out outdated documents, and makes the scores of all parts comparable: Pagefind gives more for a word that is rare in its part, so that
   * documents of a small part would always be the last.
   */
  function toCurrent(results: readonly FoundDocument[], words: readonly Frequencies[]): FoundDocument[] {
    const current = results.filter(({ id }) => isCurrent(id));
    if (sizes.size < 2) return current;
    const inAllParts = addUp(words.map((own) => rarity(total, addUp(own.values()))));
    const factors = new Map<string, number>();
    for (const [part, size] of sizes) factors.set(part, inAllParts / addUp(words.map((own) => rarity(size, own.get(part) ?? 0))));
    return current.map((document) => ({ ...document, score: document.score * (factors.get(partOf(document.id)) ?? 1) }));
  }

  return {
    loaded: new Set(),
    preload: (codes) => pagefind.preload(codes),
    async search(codes) {
      if (codes.startsWith('"')) return (await searchAllParts(codes)).filter(({ id }) => isCurrent(id));
      return codes.includes(' ') ? searchSeveral(codes.split(' ')) : searchOne(codes);
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
