/** The parts of a search index, and how to read their files: Pagefind's own, or packs. */
import { cached } from '../../formats/cached.ts';
import type { ResultData } from '../../formats/result-data.ts';
import type { IndexPart } from '../../formats/search/facet-table.ts';
import { parseFragmentName } from '../../formats/search/fragment-names.ts';
import { findPackForFile, PACK_SCHEME } from '../../formats/search/pack-names.ts';
import type { SearchForms } from '../../formats/search/search-forms.ts';
import { loadScript } from '../browser/load-script.ts';
import { createPackReader, gunzip, type ReadEntry } from '../browser/pack-reader.ts';
import { canFetch } from '../browser/protocol.ts';

/** What Pagefind has found. */
export interface FoundFragment {
  /** Name of the fragment. */
  id: string;
  /** Higher is better. */
  score: number;
}

/** The part of Pagefind’s API that is used here. */
export interface Pagefind {
  /** Waits until the first index is open. Rejects if it cannot be. */
  options(options: Record<string, unknown>): Promise<void>;
  destroy(): Promise<void>;
  /** Adds the index at a URL, with a slash at its end, to those that are searched. */
  mergeIndex(url: string, options: Record<string, unknown>): Promise<void>;
  preload(words: string): Promise<void>;
  search(
    words: string,
    options: { filters: Record<string, never>; sort: Record<string, never> },
  ): Promise<{ results: FoundFragment[] }>;
}

/** What the index stores of a document for its result. */
export interface Fragment {
  /** Path of the page in the site. */
  url: string;
  meta: ResultData;
}

/** Reads a file of a part of the index. `directory` is that of the part, with a slash at its end; empty for the first part. */
export type ReadIndexFile = (directory: string, path: string) => Promise<Uint8Array<ArrayBuffer>>;

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
 * Loads an index. `root` is a relative path to the top of the site, and `parts` are those of the index: the first is in the
 * directory of the index, the others in directories below. A browser may cache a module's failure by its URL, so each `attempt`
 * uses a different one.
 */
export async function loadIndex(
  root: string,
  forms: SearchForms,
  parts: Promise<readonly IndexPart[]>,
  attempt: number,
): Promise<IndexParts> {
  const usesIndex = forms.index && (canFetch() || !forms.packs);
  const directory = new URL(`${root}${usesIndex ? 'pagefind' : 'packs'}/`, document.baseURI).href;
  // Results have paths in the site, wherever it is hosted.
  const options = { excerptLength: 1, ranking: RANKING, baseUrl: '/' };
  const readers = cached<ReadEntry>(Number.POSITIVE_INFINITY, async (part) =>
    usesIndex ? fetchFrom(`${directory}${part}`) : createPackReader(`${directory}${part}`, findPackForFile),
  );
  const read: ReadIndexFile = async (part, path) => (await readers(part))(path);
  const [pagefind, base] = usesIndex
    ? [await importPagefind(`${directory}pagefind.js${attempt > 1 ? `?attempt=${attempt}` : ''}`, options), directory]
    : [await startPackedEngine(directory, read, options), PACK_SCHEME];
  // `init` does not wait for the first index, and `mergeIndex` would wait for it forever if it cannot be opened.
  const [list] = await Promise.all([parts, pagefind.options(options)]);
  const first = list[0]?.name;
  const directoryOf = (part: string) => (part === first ? '' : `${part}/`);
  await Promise.all(list.slice(1).map(({ name }) => pagefind.mergeIndex(`${base}${directoryOf(name)}`, options)));
  const readFragment = cached(MAX_FRAGMENTS, async (id) => {
    const bytes = await read(directoryOf(parseFragmentName(id).name), `fragment/${id}.pf_fragment`);
    return JSON.parse(new TextDecoder().decode(bytes.subarray(SIGNATURE_LENGTH))) as Fragment;
  });
  return { pagefind, readFragment };
}

type Options = Record<string, unknown>;

async function importPagefind(url: string, options: Options): Promise<Pagefind> {
  const { createInstance } = (await import(/* @vite-ignore */ url)) as { createInstance(options: Options): Pagefind };
  return createInstance(options);
}

async function startPackedEngine(packs: string, read: ReadIndexFile, options: Options): Promise<Pagefind> {
  await loadScript(`${packs}engine.js`);
  const start = window.microfichePagefind;
  if (!start) throw new Error(`${packs}engine.js contains no engine`);
  return start(read, options);
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
