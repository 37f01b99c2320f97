/** Writes the files of an index (docs/search-format.md): words, keys, and what results show of the documents of some parts. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { countBuckets, encodeKeys, type KeyOfDocument, keyBucket } from '../../formats/search/key-buckets.ts';
import { encodeResults, type StoredResult } from '../../formats/search/result-blocks.ts';
import { type IndexFiles, START, type Start, type StartIndex, toRuns } from '../../formats/search/start-file.ts';
import { readCacheNote, writeCacheNote } from '../../platform/cache-note.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { writePack, writeScript } from '../../publish/packs/pack-writer.ts';
import type { FoundResult } from '../../search/part-file.ts';
import { DELTA } from '../../search/plan-parts.ts';
import type { SearchPart, SearchParts } from '../../search/update-parts.ts';
import { INDEX_DIRECTORY } from '../../search/write-part.ts';
import { writeWords } from './write-words.ts';

/** Brings the indexes in a directory up to date. `positions` has the position of each current document by its page. */
export function updateIndexes(
  parts: Pick<SearchParts, 'parts' | 'partOf'>,
  key: string,
  positions: ReadonlyMap<string, number>,
  out: string,
): Start {
  const notes = `${out}-notes`;
  for (const directory of [out, notes]) mkdirSync(directory, { recursive: true });
  const isBase = ({ name }: SearchPart) => name !== DELTA;
  const sets = [parts.parts.filter(isBase), parts.parts.filter((part) => !isBase(part))].filter(({ length }) => length > 0);
  const indexes = sets.map((own): StartIndex => {
    const directory = shortHash(JSON.stringify([key, own.map(({ documents }) => [...documents])]));
    const note = join(notes, `${directory}.json`);
    const files = readCacheNote<IndexFiles>(note, key) ?? writeIndex(own.map(toIndexedPart), join(out, directory));
    writeCacheNote(note, key, files);
    const all = own.flatMap((part) =>
      Array.from(part.documents.keys(), (page) => (parts.partOf(page) === part ? (positions.get(page) ?? -1) : -1)),
    );
    return { ...files, directory, runs: toRuns(all) };
  });
  const names = new Set(indexes.map(({ directory }) => directory));
  for (const name of readdirSync(out)) if (!names.has(name)) rmSync(join(out, name), { recursive: true });
  for (const name of readdirSync(notes)) if (!names.has(basename(name, '.json'))) rmSync(join(notes, name));
  return { total: positions.size, indexes };
}

/** Writes the start file. */
export function writeStart(start: Start, out: string): void {
  writeScript(out, START, start);
}

/** Bytes of the results in a file, each compressed by itself. Together, they are compressed to a third. */
const RESULT_BYTES = 20_000;

function toIndexedPart({ directory, documents, file }: SearchPart): IndexedPart {
  return { directory: join(directory, INDEX_DIRECTORY), documents: documents.size, results: () => file.results() };
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
  const results: number[] = [];
  let block: StoredResult[] = [];
  let bytes = 0;
  const close = (next: number) => {
    if (block.length > 0) writePack(out, `r${results.length - 1}`, encodeResults(block));
    block = [];
    bytes = 0;
    if (next < documents) results.push(next);
  };
  close(0);
  for (const { part, first } of placed) {
    for (const { number, page, keys: codes, shown, bytes: own } of part.results()) {
      const document = first + number;
      for (const code of codes) keys.push([code, document]);
      if (bytes > 0 && bytes + own > RESULT_BYTES) close(document);
      block.push({ number: document, page, shown });
      bytes += own;
    }
  }
  close(documents);
  return { documents, words, results, buckets: writeKeys(keys, out) };
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
