/** The search as its page asks for it: Pagefind finds the words; facets, years, counts and orders are read off the facet table. */

import { type Choice, type Counts, choose, decodeTable, type FacetTable, inOrder } from './facet-table.ts';
import { loadPack, loadScript } from './pack-reader.ts';
import type { SearchForms } from './search-forms.ts';
import { searchable } from './words.ts';

export interface Result {
  /** The name of its fragment. */
  id: string;
  data(): Promise<{ url: string; meta: Record<string, string> }>;
}

/** What a reader asks for. */
export interface Query extends Choice {
  words: string;
  sort: '' | 'title' | 'date';
}

export interface Answer {
  results: Result[];
  /** How many results each value of each facet would give, the other facets' choices kept. */
  counts: Counts;
}

export interface Pagefind {
  options(options: Record<string, unknown>): Promise<void>;
  init(): Promise<void>;
  destroy(): Promise<void>;
  search(
    words: string | null,
    options: { filters: Record<string, never>; sort: Record<string, never> },
  ): Promise<{ results: Result[] }>;
}

interface Engine {
  pagefind: Pagefind;
  table: FacetTable;
  /** The place of a document in the table, by the name of its fragment. */
  places: ReadonlyMap<string, number>;
  /** Every document as a result: for questions without words. */
  all(): Promise<ReadonlyMap<string, Result>>;
}

let engine: Promise<Engine> | undefined;
/** How often loading has begun: a browser may remember a module that could not be loaded by its address. */
let attempts = 0;

async function load(root: string, forms: SearchForms): Promise<Engine> {
  attempts++;
  const fetches = location.protocol !== 'file:';
  const [pagefind, table] = await Promise.all([
    forms.index && (fetches || !forms.packs) ? fromIndex(root) : fromPacks(root),
    loadPack(new URL(`${root}assets/facets.js`, document.baseURI).href).then(decodeTable),
  ]);
  let everything: Promise<ReadonlyMap<string, Result>> | undefined;
  return {
    pagefind,
    table,
    places: new Map(table.ids.map((id, place) => [id, place])),
    all() {
      everything ??= find(pagefind, null).then((results) => new Map(results.map((result) => [result.id, result])));
      return everything;
    },
  };
}

/** Forgets an engine that failed, so that the next question loads it anew. */
function discard(failed: Promise<Engine>): void {
  if (engine === failed) engine = undefined;
  failed.then(({ pagefind }) => pagefind.destroy()).catch(() => undefined); // it never was there
}

async function fromIndex(root: string): Promise<Pagefind> {
  const again = attempts > 1 ? `?attempt=${attempts}` : '';
  const address = new URL(`${root}pagefind/pagefind.js${again}`, document.baseURI).href;
  const { createInstance } = (await import(/* @vite-ignore */ address)) as { createInstance(options: object): Pagefind };
  return started(createInstance({}));
}

async function fromPacks(root: string): Promise<Pagefind> {
  const folder = new URL(`${root}packs/`, document.baseURI).href;
  await loadScript(`${folder}engine.js`);
  const start = window.microfichePagefind;
  if (!start) throw new Error(`${folder}engine.js holds no engine`);
  return started(start(folder));
}

async function started(pagefind: Pagefind): Promise<Pagefind> {
  await pagefind.options({ excerptLength: 1 });
  await pagefind.init();
  return pagefind;
}

async function find(pagefind: Pagefind, words: string | null): Promise<Result[]> {
  return (await pagefind.search(words, { filters: {}, sort: {} })).results;
}

/**
 * Asks the index that lies `root` away. Without words and choices there are no results, only the counts of everything.
 * @throws when a part of it could not be loaded; the next question tries again.
 */
export async function ask(query: Query, root: string, forms: SearchForms): Promise<Answer> {
  engine ??= load(root, forms);
  const asked = engine;
  try {
    return await answer(query, await asked);
  } catch (error) {
    discard(asked);
    throw error;
  }
}

async function answer(query: Query, { pagefind, table, places, all }: Engine): Promise<Answer> {
  const words = searchable(query.words.trim()).trim() || null;
  const found = words === null ? undefined : await find(pagefind, words);
  const documents = found ? found.flatMap(({ id }) => places.get(id) ?? []) : table.ids.keys();
  const { fitting, counts } = choose(table, documents, query);
  const idle = words === null && query.from === undefined && query.to === undefined && Object.keys(query.chosen).length === 0;
  if (idle) return { results: [], counts };
  // What fits as a whole and in Pagefind's order is its own answer: very many results need not be looked up one by one.
  if (found && query.sort === '' && fitting.length === found.length) return { results: found, counts };
  const byId = found ? new Map(found.map((result) => [result.id, result])) : await all();
  const ordered = query.sort === '' ? fitting : inOrder(table, fitting, query.sort);
  return { results: ordered.flatMap((place) => byId.get(table.ids[place] ?? '') ?? []), counts };
}
