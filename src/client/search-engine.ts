/** Runs a search. Pagefind finds the words; the facet table gives filters, years, counts and sort orders. */

import { type Counts, decodeTable, type FacetFilter, type FacetTable, selectDocuments, sortDocuments } from './facet-table.ts';
import { type FoundDocuments, findDocuments } from './find-documents.ts';
import { DIRECTORY, type Ranges } from './pack-format.ts';
import { loadContent, loadPack, loadScript } from './pack-reader.ts';
import { canFetch } from './protocol.ts';
import type { ResultData } from './result-data.ts';
import type { SearchForms } from './search-forms.ts';
import { createVocabulary, type Vocabulary, WORDS_DIRECTORY, WORDS_ENTRY } from './vocabulary.ts';
import type { FoundDocument, WordIndex } from './word-index.ts';

/** One result of Pagefind. `id` is the name of its fragment in the index. */
export interface SearchResult extends FoundDocument {
  /** Loads the fragment: `url` is a path in the site. */
  data(): Promise<{ url: string; meta: ResultData }>;
}

/** What the reader typed and selected. */
export interface SearchQuery extends FacetFilter {
  words: string;
  sort: '' | 'title' | 'date';
}

/** The response to a query. */
export interface SearchResponse {
  /** In the requested order. */
  results: SearchResult[];
  /** The number of results that each facet value would give, with the choices in all other facets unchanged. */
  counts: Counts;
  /** How words were searched; undefined if the query has none. */
  words: Omit<FoundDocuments<SearchResult>, 'documents'> | undefined;
}

/** The part of Pagefind’s API that is used here. */
export interface Pagefind {
  options(options: Record<string, unknown>): Promise<void>;
  init(): Promise<void>;
  destroy(): Promise<void>;
  preload(words: string): Promise<void>;
  search(
    words: string | null,
    options: { filters: Record<string, never>; sort: Record<string, never> },
  ): Promise<{ results: SearchResult[] }>;
}

/** Long documents are not much worse than short ones: a transcript of an hour is as good as a caption. */
const RANKING = { pageLength: 0.3 };
/** What readers look for is rather a collection or an entire interview than a segment or file of it. */
const KIND_FACTORS: Readonly<Record<string, number>> = {
  collection: 1.35,
  article: 1.35,
  entity: 1.2,
  segment: 0.9,
  file: 0.4,
};

interface Engine {
  pagefind: Pagefind;
  /** Pagefind as `findDocuments` uses it. */
  index: WordIndex<SearchResult>;
  vocabulary: Vocabulary;
  table: FacetTable;
  /** The position of a document in the table, by the name of its fragment. */
  positions: ReadonlyMap<string, number>;
  /** Every document as a result, for queries without words. */
  allResults(): Promise<ReadonlyMap<string, SearchResult>>;
}

let engine: Promise<Engine> | undefined;
/** Number of attempts to load the engine. A browser may cache a module's failure by its URL, so each attempt uses a different URL. */
let loadAttempts = 0;

async function loadEngine(root: string, forms: SearchForms): Promise<Engine> {
  loadAttempts++;
  const assets = new URL(`${root}assets/`, document.baseURI).href;
  const [pagefind, table, vocabulary] = await Promise.all([
    forms.index && (canFetch() || !forms.packs) ? loadFromIndex(root) : loadFromPacks(root),
    loadPack(`${assets}facets.js`).then(decodeTable),
    loadVocabulary(`${assets}${WORDS_DIRECTORY}/`),
  ]);
  let everything: Promise<ReadonlyMap<string, SearchResult>> | undefined;
  return {
    pagefind,
    index: {
      loaded: new Set(),
      preload: (codes) => pagefind.preload(codes),
      search: (codes) => searchWords(pagefind, codes),
    },
    vocabulary,
    table,
    positions: new Map(table.ids.map((id, position) => [id, position])),
    allResults() {
      everything ??= searchWords(pagefind, null).then((results) => new Map(results.map((result) => [result.id, result])));
      return everything;
    },
  };
}

async function loadVocabulary(directory: string): Promise<Vocabulary> {
  const ranges = (await loadContent(`${directory}${DIRECTORY}.js`)) as Ranges;
  return createVocabulary(ranges, async (pack) =>
    new TextDecoder().decode((await loadPack(`${directory}${pack}.js`)).get(WORDS_ENTRY)),
  );
}

/** Discards an engine that failed, so that the next query loads it again. */
function resetEngine(failed: Promise<Engine>): void {
  if (engine === failed) engine = undefined;
  failed.then(({ pagefind }) => pagefind.destroy()).catch(() => undefined); // it was never loaded
}

async function loadFromIndex(root: string): Promise<Pagefind> {
  const suffix = loadAttempts > 1 ? `?attempt=${loadAttempts}` : '';
  const url = new URL(`${root}pagefind/pagefind.js${suffix}`, document.baseURI).href;
  const { createInstance } = (await import(/* @vite-ignore */ url)) as { createInstance(options: object): Pagefind };
  return initialize(createInstance({}));
}

async function loadFromPacks(root: string): Promise<Pagefind> {
  const packs = new URL(`${root}packs/`, document.baseURI).href;
  await loadScript(`${packs}engine.js`);
  const start = window.microfichePagefind;
  if (!start) throw new Error(`${packs}engine.js contains no engine`);
  return initialize(start(packs));
}

async function initialize(pagefind: Pagefind): Promise<Pagefind> {
  // Results have paths in the site, wherever it is hosted.
  await pagefind.options({ excerptLength: 1, ranking: RANKING, baseUrl: '/' });
  await pagefind.init();
  return pagefind;
}

async function searchWords(pagefind: Pagefind, words: string | null): Promise<SearchResult[]> {
  return (await pagefind.search(words, { filters: {}, sort: {} })).results;
}

/**
 * Searches the index of the site whose top is at `root`, a relative path. Without words and choices it returns no results, only the counts of
 * all records.
 * @throws {Error} if a part of the index could not be loaded; the next query tries again.
 */
export async function search(query: SearchQuery, root: string, forms: SearchForms): Promise<SearchResponse> {
  engine ??= loadEngine(root, forms);
  const current = engine;
  try {
    return await runQuery(query, await current);
  } catch (error) {
    resetEngine(current);
    throw error;
  }
}

async function runQuery(query: SearchQuery, engine: Engine): Promise<SearchResponse> {
  const { table, positions, allResults } = engine;
  const outcome = await findDocuments(query.words, engine.index, engine.vocabulary);
  const { documents: unordered, ...words } = outcome ?? { documents: undefined };
  const found = unordered && orderByRelevance(unordered, engine);
  const documents = found ? found.flatMap(({ id }) => positions.get(id) ?? []) : table.ids.keys();
  const { matching, counts } = selectDocuments(table, documents, query);
  const isEmptyQuery = !found && query.from === undefined && query.to === undefined && Object.keys(query.chosen).length === 0;
  const response = { counts, words: outcome && (words as SearchResponse['words']) };
  if (isEmptyQuery) return { results: [], ...response };
  const byId = found ? new Map(found.map((result) => [result.id, result])) : await allResults();
  const ordered = query.sort === '' ? matching : sortDocuments(table, matching, query.sort);
  return { results: ordered.flatMap((position) => byId.get(table.ids[position] ?? '') ?? []), ...response };
}

/** Orders results by their scores and kinds; equal ones by their positions, so that the order is always the same. */
function orderByRelevance(results: readonly SearchResult[], { table, positions }: Engine): SearchResult[] {
  const { values, offsets, codes } = table.facets.model;
  return results
    .map((result) => {
      const position = positions.get(result.id) ?? 0;
      const kind = values[codes[offsets[position] ?? 0] ?? 0] ?? '';
      return { result, position, score: result.score * (KIND_FACTORS[kind] ?? 1) };
    })
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .map(({ result }) => result);
}
