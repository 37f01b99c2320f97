/** Pagefind as the search page asks it: words, several values a facet, a span of years, an order; with the counts that each choice would give. */
import type { SearchForms } from '../site/context.ts';
import { searchable } from './words.ts';

export interface Result {
  data(): Promise<{ url: string; meta: Record<string, string> }>;
}

export type Counts = Record<string, Record<string, number>>;

/** What a reader asks for. `chosen` has any number of values a facet: one of them must fit. */
export interface Query {
  words: string;
  chosen: Readonly<Record<string, string[]>>;
  /** Years; either may be missing. */
  from: number | undefined;
  to: number | undefined;
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
  filters(): Promise<Counts>;
  search(
    words: string | null,
    options: { filters: Filters; sort: Record<string, 'asc'> },
  ): Promise<{ results: Result[]; filters: Counts }>;
}

type Filters = Record<string, { any: string[] }>;

/** The facets of the index that are choices; years are asked for as a span. */
export const FACETS = ['model', 'collection', 'genre', 'format', 'topic', 'facility', 'language'] as const;
/** The years that any date of the index can have. */
const FIRST_YEAR = 1400;
const LAST_YEAR = 2099;

let engine: Promise<Pagefind> | undefined;

function load(root: string, forms: SearchForms): Promise<Pagefind> {
  engine ??= (async () => {
    const fetches = location.protocol !== 'file:';
    const pagefind = forms.index && (fetches || !forms.packs) ? await fromIndex(root) : await fromPacks(root);
    await pagefind.options({ excerptLength: 1 });
    await pagefind.init();
    await pagefind.filters(); // counts come with answers only once the filters are loaded
    return pagefind;
  })();
  return engine;
}

async function fromIndex(root: string): Promise<Pagefind> {
  return (await import(/* @vite-ignore */ new URL(`${root}pagefind/pagefind.js`, document.baseURI).href)) as Pagefind;
}

async function fromPacks(root: string): Promise<Pagefind> {
  const folder = new URL(`${root}packs/`, document.baseURI).href;
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded`));
    script.src = `${folder}engine.js`;
    document.head.append(script);
  });
  const start = window.microfichePagefind;
  if (!start) throw new Error(`${folder}engine.js holds no engine`);
  return start(folder);
}

/** Asks the index that lies `root` away. Without words and choices there are no results, only the counts of everything. */
export async function ask(query: Query, root: string, forms: SearchForms): Promise<Answer> {
  const pagefind = await load(root, forms);
  const words = searchable(query.words.trim()).trim() || null;
  const filters = filtersOf(query);
  if (words === null && Object.keys(filters).length === 0) return { results: [], counts: await pagefind.filters() };
  const sort: Record<string, 'asc'> = query.sort === '' ? {} : { [query.sort]: 'asc' };
  const { results, filters: counts } = await pagefind.search(words, { filters, sort });
  // A facet with a choice is counted as if it had none: else its other values could never be added.
  for (const facet of FACETS) {
    if (!(facet in filters)) continue;
    const { [facet]: _, ...others } = filters;
    const free = words === null && Object.keys(others).length === 0;
    const without = free ? await pagefind.filters() : (await pagefind.search(words, { filters: others, sort: {} })).filters;
    counts[facet] = without[facet] ?? {};
  }
  return { results, counts };
}

function filtersOf({ chosen, from, to }: Query): Filters {
  const filters: Filters = {};
  for (const [facet, values] of Object.entries(chosen)) if (values.length > 0) filters[facet] = { any: values };
  if (from === undefined && to === undefined) return filters;
  const first = Math.max(FIRST_YEAR, from ?? FIRST_YEAR);
  const last = Math.min(LAST_YEAR, to ?? LAST_YEAR);
  filters['year'] = { any: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => String(first + i)) };
  return filters;
}
