/** Writes the files of an index (docs/search-format.md): words, keys, and what results show of the documents of some parts. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countBuckets, encodeKeys, type KeyOfDocument, keyBucket } from '../../formats/search/key-buckets.ts';
import { encodeResults, type StoredResult } from '../../formats/search/result-blocks.ts';
import * as startFile from '../../formats/search/start-file.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { writePack, writeScript } from '../../publish/packs/pack-writer.ts';
import type { FoundResult } from '../../search/part-file.ts';
import { writeWords } from './write-words.ts';

/** The files of an index, and the name of their directory. */
export type NamedIndex = Omit<startFile.StartIndex, 'runs'>;

/** Bytes of the results in a file, each compressed by itself. Together, they are compressed to a third. */
const RESULT_BYTES = 50_000;

/** A part of an index. */
export interface IndexedPart {
  /** Directory of Pagefind's files. */
  directory: string;
  /** Number of its documents, with those that are not in the index. */
  documents: number;
  results(): Iterable<FoundResult>;
}

/** Writes an index of parts that are all current, and its start file. `found` says which documents are in the index. */
export function writeWholeIndex(parts: readonly IndexedPart[], found: readonly boolean[], out: string): void {
  const index = writeIndex(parts, out);
  let position = 0;
  const runs = startFile.toRuns(found.map((isFound) => (isFound ? position++ : -1)));
  writeScript(out, startFile.START, { total: position, indexes: [{ ...index, runs }] } satisfies startFile.Start);
}

/** Writes the index of parts, whose documents it numbers one part after the other, into a directory of its own in `out`. */
export function writeIndex(parts: readonly IndexedPart[], out: string): NamedIndex {
  return nameByContent(out, (unfinished) => writeFiles(parts, unfinished));
}

/** Has the files of an index written into a directory, which is then named by their content. */
export function nameByContent(out: string, write: (directory: string) => startFile.IndexFiles): NamedIndex {
  const unfinished = join(out, 'unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const files = write(unfinished);
  const content = createHash('sha256');
  for (const name of readdirSync(unfinished).sort()) content.update(`${name}\n`).update(readFileSync(join(unfinished, name)));
  const directory = shortHash(content.digest('hex'));
  rmSync(join(out, directory), { recursive: true, force: true });
  renameSync(unfinished, join(out, directory));
  return { ...files, directory };
}

function writeFiles(parts: readonly IndexedPart[], out: string): startFile.IndexFiles {
  let documents = 0;
  const placed = parts.map((part) => {
    const first = documents;
    documents += part.documents;
    return { part, first };
  });
  const sources = placed.map(({ part: { directory, documents: own }, first }) => ({ directory, first, documents: own }));
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
      const count = Math.min(startFile.MAX_COUNT, next - first);
      writePack(out, `r${files.length}`, encodeResults(isFirst ? block : []));
      files += startFile.encodeCount(count);
      first += count;
    }
    block = [];
    bytes = 0;
  };
  return {
    add(result: StoredResult, own: number) {
      if (result.number - first >= startFile.MAX_COUNT || (bytes > 0 && bytes + own > RESULT_BYTES)) close(result.number);
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
