/**
 * Erases documents from the files of an index (docs/search-format.md), so that nothing of what was withdrawn can be read there.
 * Looks into all files: that is certain, and only files that have something of the documents are written again.
 */
import { linkSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pieces } from '../../formats/search/facet-table.ts';
import { decodeKeys, encodeKeys } from '../../formats/search/key-buckets.ts';
import { decodeStored, encodeResults } from '../../formats/search/result-blocks.ts';
import type { IndexFiles } from '../../formats/search/start-file.ts';
import {
  decodePlaces,
  decodePostings,
  decodeWords,
  encodeBlock,
  encodePlaces,
  type WordToWrite,
} from '../../formats/search/word-block.ts';
import { fileOfPack, readPack, writePack } from '../../publish/packs/pack-writer.ts';

/** Is after all codes of words. */
const AFTER_ALL = '~';

/**
 * Writes an index without the documents of some numbers, which are not used again, into the empty directory `out`. `last` is the
 * directory of the index as it was; files in which nothing changes become links to its files.
 */
export function eraseDocuments(erased: ReadonlySet<number>, index: IndexFiles, last: string, out: string): IndexFiles {
  for (const file of readdirSync(last)) linkSync(join(last, file), join(out, file));
  const read = (name: string): Pieces =>
    new Map(readPack(readFileSync(join(last, fileOfPack(name)), 'utf8')).map(({ name: piece, data }) => [piece, data]));
  const words = [...index.words];
  for (let block = words.length - 1; block >= 0; block--) {
    const pieces = read(`w${block}`);
    const left = eraseFromWords(pieces, erased, () => read(`p${block}`));
    if (!left) continue;
    writePack(out, `w${block}`, encodeBlock(left, index.documents));
    writePack(out, `p${block}`, encodePlaces(left));
    // An empty block is never read: the next one begins with the same word.
    words[block] = left[0]?.word ?? words[block + 1] ?? AFTER_ALL;
  }
  for (let bucket = 0; bucket < index.buckets; bucket++) {
    const keys = decodeKeys(read(`k${bucket}`));
    const left = keys.filter(([, document]) => !erased.has(document));
    if (left.length < keys.length) writePack(out, `k${bucket}`, encodeKeys(left));
  }
  for (let block = 0; block < index.results.length; block++) {
    const results = decodeStored(read(`r${block}`));
    const left = results.filter(({ number }) => !erased.has(number));
    if (left.length < results.length) writePack(out, `r${block}`, encodeResults(left));
  }
  return { ...index, words };
}

/** Returns the words of a block without the documents; undefined if it has none of them. */
function eraseFromWords(pieces: Pieces, erased: ReadonlySet<number>, readPlaces: () => Pieces): WordToWrite[] | undefined {
  const words = decodeWords(pieces).map((word) => ({ word, ...decodePostings(pieces, word) }));
  if (!words.some(({ documents }) => documents.some((document) => erased.has(document)))) return undefined;
  const placesOfBlock = readPlaces();
  return words.flatMap(({ word: { word, number }, documents, weights }) => {
    const places = decodePlaces(placesOfBlock, number, documents, documents);
    const isLeft = (_: unknown, i: number) => !erased.has(documents[i] as number);
    const left = [...documents].filter(isLeft);
    return left.length === 0
      ? []
      : [{ word, documents: left, weights: [...weights].filter(isLeft), places: places.filter(isLeft) }];
  });
}
