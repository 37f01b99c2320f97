/** The parts of a search index, and how to read their files: Pagefind's own, or packs. */
import { cached } from './cached.ts';
import type { IndexPart } from './facet-table.ts';
import { PACK_SCHEME, packForFile } from './pack-names.ts';
import { createPackReader, gunzip, loadScript, type ReadEntry } from './pack-reader.ts';
import { canFetch } from './protocol.ts';
import type { ResultData } from './result-data.ts';
import type { SearchForms } from './search-forms.ts';
import type { FoundDocument } from './word-index.ts';

/** The part of Pagefind’s API that is used here. */
export interface Pagefind {
  options(options: Record<string, unknown>): Promise<void>;
  init(): Promise<void>;
  destroy(): Promise<void>;
  /** Adds the index at a URL, with a slash at its end, to those that are searched. */
  mergeIndex(url: string, options: Record<string, unknown>): Promise<void>;
  preload(words: string): Promise<void>;
  search(
    words: string,
    options: { filters: Record<string, never>; sort: Record<string, never> },
  ): Promise<{ results: FoundDocument[] }>;
}

/** What the index stores of a document for its result. */
export interface Fragment {
  /** Path of the page in the site. */
  url: string;
  meta: ResultData;
}

/** An index in one of its forms. */
export interface IndexParts {
  pagefind: Pagefind;
  /** Loads what the result of a document shows. `id` is the name of its fragment. */
  readFragment(id: string): Promise<Fragment>;
}

/** Long documents are not much worse than short ones: a transcript of an hour is as good as a caption. */
export const RANKING = { pageLength: 0.3 };
/** Results in memory. */
const MAX_FRAGMENTS = 400;
/** Pagefind begins each of its files with this. */
const SIGNATURE_LENGTH = 'pagefind_dcd'.length;

/**
 * Loads an index. `root` is a relative path to the top of the site, and `parts` are those of the index: the first is in the directory of the
 * index, the others in directories below. A browser may cache a module's failure by its URL, so each `attempt` uses a different one.
 */
export async function loadIndex(
  root: string,
  forms: SearchForms,
  parts: Promise<readonly IndexPart[]>,
  attempt: number,
): Promise<IndexParts> {
  const usesIndex = forms.index && (canFetch() || !forms.packs);
  const directory = new URL(`${root}${usesIndex ? 'pagefind' : 'packs'}/`, document.baseURI).href;
  const [pagefind, base] = usesIndex
    ? [await importPagefind(`${directory}pagefind.js${attempt > 1 ? `?attempt=${attempt}` : ''}`), directory]
    : [await startPackedEngine(directory), PACK_SCHEME];
  // Results have paths in the site, wherever it is hosted.
  const options = { excerptLength: 1, ranking: RANKING, baseUrl: '/' };
  await pagefind.options(options);
  const [list] = await Promise.all([parts, pagefind.init()]);
  const names = list.map(({ name }) => name);
  const directoryOf = (part: string) => (part === names[0] ? '' : `${part}/`);
  await Promise.all(names.slice(1).map((part) => pagefind.mergeIndex(`${base}${directoryOf(part)}`, options)));
  const readers = cached<ReadEntry>(names.length, async (part) =>
    usesIndex ? fetchFrom(`${directory}${directoryOf(part)}`) : createPackReader(`${directory}${directoryOf(part)}`, packForFile),
  );
  const readFragment = cached(MAX_FRAGMENTS, async (id) => {
    const read = await readers(id.slice(0, id.indexOf('_')));
    const bytes = await read(`fragment/${id}.pf_fragment`);
    return JSON.parse(new TextDecoder().decode(bytes.subarray(SIGNATURE_LENGTH))) as Fragment;
  });
  return { pagefind, readFragment };
}

async function importPagefind(url: string): Promise<Pagefind> {
  const { createInstance } = (await import(/* @vite-ignore */ url)) as { createInstance(options: object): Pagefind };
  return createInstance({});
}

async function startPackedEngine(packs: string): Promise<Pagefind> {
  await loadScript(`${packs}engine.js`);
  const start = window.microfichePagefind;
  if (!start) throw new Error(`${packs}engine.js contains no engine`);
  return start(packs);
}

/** Returns a function that reads the files of an index in a directory, decompressed: some servers do that on the way. */
function fetchFrom(directory: string): ReadEntry {
  return async (path) => {
    const response = await fetch(`${directory}${path}`);
    if (!response.ok) throw new Error(`${directory}${path} cannot be loaded: ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes) : bytes;
  };
}
