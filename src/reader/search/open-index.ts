/** Opens the search index of a site (docs/search-format.md): its words, and what results show. */
import { cached } from '../../formats/cached.ts';
import type { Pieces } from '../../formats/search/facet-table.ts';
import { decodeResults, type IndexedResult } from '../../formats/search/result-blocks.ts';
import { firstsOf, fromRuns, START, type Start, type StartIndex } from '../../formats/search/start-file.ts';
import { loadContent, loadPack } from '../browser/pack-reader.ts';
import { createBlockIndex } from './block-index.ts';
import { countNotGreater } from './word-index.ts';

/** Files of results in memory. */
const MAX_RESULT_FILES = 60;

/**
 * Opens the index in the directory at a URL, with a slash at its end.
 * @throws {Error} if its start file cannot be loaded
 */
export async function openIndex(url: string) {
  const { total, indexes } = (await loadContent(`${url}${START}.js`)) as Start;
  const sets = indexes.map((index) => ({
    directory: `${url}${index.directory}/`,
    firsts: index.words,
    buckets: index.buckets,
    positions: fromRuns(index),
  }));
  return {
    /** Number of documents. */
    total,
    words: createBlockIndex(sets, total, loadPack),
    readResult: createResultReader(url, indexes, loadPack),
  };
}

/** Returns a function that returns what the result of a document shows. It rejects if its file cannot be loaded. */
function createResultReader(url: string, indexes: readonly StartIndex[], load: (url: string) => Promise<Pieces>) {
  const files = cached(MAX_RESULT_FILES, async (file) => decodeResults(await load(file)));
  const firsts = new Map(indexes.map((index) => [index, firstsOf(index)]));
  return async (document: number): Promise<IndexedResult> => {
    const [index, number] = placeOf(document, indexes);
    const block = countNotGreater(firsts.get(index) as Uint32Array, number) - 1;
    const found = (await files(`${url}${index.directory}/r${block}.js`)).get(number);
    if (!found) throw new Error(`The search index has no result ${number}.`);
    return found;
  };
}

/** Returns the index that has a document, and the document's number in it. */
function placeOf(document: number, indexes: readonly StartIndex[]): [index: StartIndex, number: number] {
  for (const index of indexes) {
    let number = 0;
    for (const [count, position] of index.runs) {
      if (position >= 0 && document >= position && document < position + count) return [index, number + document - position];
      number += count;
    }
  }
  throw new Error(`The search index has no document ${document}.`);
}
