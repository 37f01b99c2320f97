/** Writes the files of an index (docs/search-format.md): words, keys, and what results show of the documents of some parts. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countBuckets, encodeKeys, type KeyOfDocument, keyBucket } from '../formats/search/key-buckets.ts';
import { encodeResults, type StoredResult } from '../formats/search/result-blocks.ts';
import type { IndexFiles } from '../formats/search/start-file.ts';
import { writePack } from '../publish/packs/pack-writer.ts';
import type { SearchPart } from './update-parts.ts';
import { INDEX_DIRECTORY } from './write-part.ts';
import { writeWords } from './write-words.ts';

/** Bytes of the results in a file, each compressed by itself. Together, they are compressed to a third. */
const RESULT_BYTES = 20_000;

/** Writes the index of parts, whose documents it numbers one part after the other, into a directory. */
export function writeIndex(parts: readonly SearchPart[], out: string): IndexFiles {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  let documents = 0;
  const placed = parts.map((part) => {
    const first = documents;
    documents += part.documents.size;
    return { part, first };
  });
  const sources = placed.map(({ part: { directory }, first }) => ({ directory: join(directory, INDEX_DIRECTORY), first }));
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
    for (const { number, page, keys: codes, shown, bytes: own } of part.file.results()) {
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
