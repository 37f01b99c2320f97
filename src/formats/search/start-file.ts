/** The start file of search (docs/search-format.md): what a browser must know before it can read anything else. */

/** The files of an index. */
export interface IndexFiles {
  /** Number of its documents, erased ones included. */
  documents: number;
  /** The first word of each block. */
  words: readonly string[];
  /** The number of documents of each file of results, as a character of `COUNTS`. */
  results: string;
  /** Number of the files of keys. */
  buckets: number;
}

/** An index in the start file. */
export interface StartIndex extends IndexFiles {
  /** The name of its directory, which changes with its content. */
  directory: string;
  /**
   * Where its documents are among all: runs of documents, each with the position of its first one, or -1 if they were erased.
   * Positions follow each other in a run.
   */
  runs: ReadonlyArray<readonly [documents: number, position: number]>;
}

/** The content of the file. */
export interface Start {
  /** Number of documents. */
  total: number;
  /** The base, and what changed since. */
  indexes: readonly StartIndex[];
}

/** The n-th character stands for n documents. No file of results has more of them than there are characters. */
const COUNTS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Documents in a file of results, at most. */
export const MAX_COUNT = COUNTS.length;

/** Returns a number of documents as a character. */
export const encodeCount = (count: number): string => COUNTS[count - 1] as string;

/** Returns the first document of each file of results. */
export function firstsOf({ results }: Pick<IndexFiles, 'results'>): Uint32Array {
  const firsts = new Uint32Array(results.length);
  let next = 0;
  for (let file = 0; file < results.length; file++) {
    firsts[file] = next;
    next += COUNTS.indexOf(results[file] as string) + 1;
  }
  return firsts;
}

/** The directory of the index, in `assets/`. */
export const INDEX_DIRECTORY = 'index';
/** The name of the file, in that directory. */
export const START = 'start';

/** Returns positions as runs. */
export function toRuns(positions: Iterable<number>): StartIndex['runs'] {
  const runs: Array<[documents: number, position: number]> = [];
  for (const position of positions) {
    const last = runs[runs.length - 1];
    const expected = last === undefined ? undefined : last[1] < 0 ? -1 : last[1] + last[0];
    if (last && position === expected) last[0]++;
    else runs.push([1, position]);
  }
  return runs;
}

/** Returns the position of each document; undefined if they are all, in their order. */
export function fromRuns({ documents, runs }: Pick<StartIndex, 'documents' | 'runs'>): Int32Array | undefined {
  if (runs.length <= 1 && (runs[0]?.[1] ?? 0) === 0) return undefined;
  const positions = new Int32Array(documents);
  let at = 0;
  for (const [count, position] of runs) for (let i = 0; i < count; i++) positions[at++] = position < 0 ? -1 : position + i;
  return positions;
}
