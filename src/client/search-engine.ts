/** Runs a search. Pagefind finds the words; the facet table gives filters, years, counts and sort orders. */

import { type Counts, decodeTable, type FacetFilter, type FacetTable, selectDocuments, sortDocuments } from './facet-table.ts';
import { loadPack, loadScript } from './pack-reader.ts';
import type { SearchForms } from './search-forms.ts';
import { toSearchable } from './searchable-text.ts';

/** One result of Pagefind. */
export interface SearchResult {
  /** The name of its fragment in the index. */
  id: string;
  /** Loads the fragment: `url` is a path in the site, `meta` has the texts for the result list. */
  data(): Promise<{ url: string; meta: Record<string, string> }>;
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
}

/** The part of Pagefind’s API that is used here. */
export interface Pagefind {
  options(options: Record<string, unknown>): Promise<void>;
  init(): Promise<void>;
  destroy(): Promise<void>;
  search(
    words: string | null,
    options: { filters: Record<string, never>; sort: Record<string, never> },
  ): Promise<{ results: SearchResult[] }>;
}

interface Engine {
  pagefind: Pagefind;
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
  const canFetch = location.protocol !== 'file:';
  const [pagefind, table] = await Promise.all([
    forms.index && (canFetch || !forms.packs) ? loadFromIndex(root) : loadFromPacks(root),
    loadPack(new URL(`${root}assets/facets.js`, document.baseURI).href).then(decodeTable),
  ]);
  let everything: Promise<ReadonlyMap<string, SearchResult>> | undefined;
  return {
    pagefind,
    table,
    positions: new Map(table.ids.map((id, position) => [id, position])),
    allResults() {
      everything ??= searchWords(pagefind, null).then((results) => new Map(results.map((result) => [result.id, result])));
      return everything;
    },
  };
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
  await pagefind.options({ excerptLength: 1 });
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

async function runQuery(query: SearchQuery, { pagefind, table, positions, allResults }: Engine): Promise<SearchResponse> {
  const words = toSearchable(query.words.trim()).trim() || null;
  const found = words === null ? undefined : await searchWords(pagefind, words);
  const documents = found ? found.flatMap(({ id }) => positions.get(id) ?? []) : table.ids.keys();
  const { matching, counts } = selectDocuments(table, documents, query);
  const isEmptyQuery =
    words === null && query.from === undefined && query.to === undefined && Object.keys(query.chosen).length === 0;
  if (isEmptyQuery) return { results: [], counts };
  // If all of Pagefind's results pass the filters and keep its order, no result needs a lookup.
  if (found && query.sort === '' && matching.length === found.length) return { results: found, counts };
  const byId = found ? new Map(found.map((result) => [result.id, result])) : await allResults();
  const ordered = query.sort === '' ? matching : sortDocuments(table, matching, query.sort);
  return { results: ordered.flatMap((position) => byId.get(table.ids[position] ?? '') ?? []), counts };
}
