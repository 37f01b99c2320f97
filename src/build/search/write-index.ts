/** Writes the files of an index (docs/search-format.md): words, keys, and what results show of the documents of some parts. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countBuckets, encodeKeys, type KeyOfDocument, keyBucket } from '../../formats/search/key-buckets.ts';
import { encodeResults, type StoredResult } from '../../formats/search/result-blocks.ts';
import { encodeCount, type IndexFiles, MAX_COUNT, START, type Start, toRuns } from '../../formats/search/start-file.ts';
import { readCacheNote, writeCacheNote } from '../../platform/cache-note.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { writePack, writeScript } from '../../publish/packs/pack-writer.ts';
import type { FoundResult } from '../../search/part-file.ts';
import { DELTA } from '../../search/plan-parts.ts';
import type { SearchPart, SearchParts } from '../../search/update-parts.ts';
import { INDEX_DIRECTORY } from '../../search/write-part.ts';
import { eraseDocuments } from './erase-documents.ts';
import { writeWords } from './write-words.ts';

/** The indexes in a directory. */
interface IndexNotes {
  base?: NotedIndex;
  delta?: NotedIndex;
}

interface NotedIndex extends IndexFiles {
  /** The name of its directory. */
  directory: string;
}

const notesOf = (out: string) => `${out}-notes.json`;

/** Whether there is an index of the base parts in a directory. */
export function hasBase(key: string, out: string): boolean {
  const base = readCacheNote<IndexNotes>(notesOf(out), key)?.base;
  return base !== undefined && existsSync(join(out, base.directory));
}

/**
 * Brings the indexes in a directory up to date. `positions` has the position of each current document by its page. The words of
 * base parts are deleted when they are in the index: what is erased later is erased there.
 */
export function updateIndexes(
  parts: Pick<SearchParts, 'parts' | 'partOf'>,
  key: string,
  positions: ReadonlyMap<string, number>,
  out: string,
): Start {
  mkdirSync(out, { recursive: true });
  const last = readCacheNote<IndexNotes>(notesOf(out), key) ?? {};
  const base = parts.parts.filter(({ name }) => name !== DELTA);
  const delta = parts.parts.filter(({ name }) => name === DELTA);
  const notes: IndexNotes = { base: updateBase(base, key, last.base, out) };
  if (delta.length > 0) notes.delta = writeNew(delta, key, last.delta, out);
  writeCacheNote(notesOf(out), key, notes);
  for (const { directory } of base) rmSync(join(directory, INDEX_DIRECTORY), { recursive: true, force: true });
  const names = new Set(Object.values(notes).map(({ directory }) => directory));
  for (const name of readdirSync(out)) if (!names.has(name)) rmSync(join(out, name), { recursive: true });
  const describe = (index: NotedIndex, own: readonly SearchPart[]) => ({
    ...index,
    runs: toRuns(own.flatMap((part) => positionsIn(part, parts, positions))),
  });
  const indexes = [describe(notes.base as NotedIndex, base), ...(notes.delta ? [describe(notes.delta, delta)] : [])];
  return { total: positions.size, indexes };
}

/** Returns the position of each document of a part; -1 of one that is outdated or erased. */
function positionsIn(
  part: SearchPart,
  { partOf }: Pick<SearchParts, 'partOf'>,
  positions: ReadonlyMap<string, number>,
): number[] {
  const all = new Array<number>(part.file.size()).fill(-1);
  for (const [page, number] of part.numbers) if (partOf(page) === part) all[number] = positions.get(page) ?? -1;
  return all;
}

/** Writes the index of the base parts, or erases from the last one what was erased from them. */
function updateBase(parts: readonly SearchPart[], key: string, last: NotedIndex | undefined, out: string): NotedIndex {
  const isNew = parts.every(({ directory }) => existsSync(join(directory, INDEX_DIRECTORY)));
  if (isNew || !last) return writeNew(parts, key, last, out);
  const directory = directoryOf(parts, key);
  if (directory === last.directory) return last;
  let first = 0;
  const erased = new Set<number>();
  for (const { file, numbers } of parts) {
    const left = new Set(numbers.values());
    for (let number = 0; number < file.size(); number++) if (!left.has(number)) erased.add(first + number);
    first += file.size();
  }
  return { ...eraseDocuments(erased, last, join(out, last.directory), join(out, directory)), directory };
}

/** Writes the index of some parts, unless it is the last one. */
function writeNew(parts: readonly SearchPart[], key: string, last: NotedIndex | undefined, out: string): NotedIndex {
  const directory = directoryOf(parts, key);
  if (last?.directory === directory) return last;
  return { ...writeIndex(parts.map(toIndexedPart), join(out, directory)), directory };
}

/** Returns the name of the directory of an index, which has the same content whenever it has the same name. */
function directoryOf(parts: readonly SearchPart[], key: string): string {
  return shortHash(JSON.stringify([key, parts.map(({ documents, numbers }) => [[...documents], [...numbers.values()]])]));
}

/** Writes the start file. */
export function writeStart(start: Start, out: string): void {
  writeScript(out, START, start);
}

/** Bytes of the results in a file, each compressed by itself. Together, they are compressed to a third. */
const RESULT_BYTES = 50_000;

function toIndexedPart({ directory, file }: SearchPart): IndexedPart {
  return { directory: join(directory, INDEX_DIRECTORY), documents: file.size(), results: () => file.results() };
}

/** A part of an index. */
interface IndexedPart {
  /** Directory of Pagefind's files. */
  directory: string;
  /** Number of its documents, with those that are not in the index. */
  documents: number;
  results(): Iterable<FoundResult>;
}

/** Writes an index of parts that are all current, and its start file. `found` says which documents are in the index. */
export function writeWholeIndex(parts: readonly IndexedPart[], found: readonly boolean[], out: string): void {
  const directory = shortHash(JSON.stringify(parts.map((part) => [part.documents, ...part.results()])));
  const files = writeIndex(parts, join(out, directory));
  let position = 0;
  const runs = toRuns(found.map((isFound) => (isFound ? position++ : -1)));
  writeScript(out, START, { total: position, indexes: [{ ...files, directory, runs }] } satisfies Start);
}

/** Writes the index of parts, whose documents it numbers one part after the other, into a directory. */
function writeIndex(parts: readonly IndexedPart[], out: string): IndexFiles {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  let documents = 0;
  const placed = parts.map((part) => {
    const first = documents;
    documents += part.documents;
    return { part, first };
  });
  const sources = placed.map(({ part: { directory }, first }) => ({ directory, first }));
  const words = writeWords(sources, documents, out);
  const keys: KeyOfDocument[] = [];
  const results = createResultWriter(out);
  for (const { part, first } of placed) {
    for (const { number, page, keys: codes, shown, bytes } of part.results()) {
      const document = first + number;
      for (const code of codes) keys.push([code, document]);
      results.add({ number: document, page, shown }, bytes);
    }
  }
  return { documents, words, results: results.finish(documents), buckets: writeKeys(keys, out) };
}

/** Writes files of results, which get the documents in their order. */
function createResultWriter(out: string) {
  let files = '';
  let block: StoredResult[] = [];
  let [first, bytes] = [0, 0];
  /** Closes files up to a document, of which those before `next` that are not in the index are part, too. */
  const close = (next: number) => {
    for (let isFirst = true; first < next; isFirst = false) {
      const count = Math.min(MAX_COUNT, next - first);
      writePack(out, `r${files.length}`, encodeResults(isFirst ? block : []));
      files += encodeCount(count);
      first += count;
    }
    block = [];
    bytes = 0;
  };
  return {
    add(result: StoredResult, own: number) {
      if (result.number - first >= MAX_COUNT || (bytes > 0 && bytes + own > RESULT_BYTES)) close(result.number);
      block.push(result);
      bytes += own;
    },
    /** Writes the last ones. Returns the number of documents of each file. */
    finish(documents: number): string {
      close(documents);
      return files;
    },
  };
}

/** Writes keys. Returns the number of their files. */
function writeKeys(keys: readonly KeyOfDocument[], out: string): number {
  const buckets = countBuckets(keys.length);
  const byBucket = Map.groupBy(keys, ([code]) => keyBucket(code, buckets));
  for (let bucket = 0; bucket < buckets; bucket++) {
    const sorted = (byBucket.get(bucket) ?? []).toSorted(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x - y));
    writePack(out, `k${bucket}`, encodeKeys(sorted));
  }
  return buckets;
}
