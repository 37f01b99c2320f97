/**
 * Erases documents from the files of an index (docs/search-format.md), so that nothing of what was withdrawn can be read there.
 * Looks into all files: that is certain, and only files that have something of the documents are written again.
 */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pieces } from '../../formats/search/facet-table.ts';
import { decodeKeys, encodeKeys } from '../../formats/search/key-buckets.ts';
import { decodeStored, encodeResults } from '../../formats/search/result-blocks.ts';
import { firstsOf, type IndexFiles } from '../../formats/search/start-file.ts';
import * as wordBlock from '../../formats/search/word-block.ts';
import { tryLink } from '../../publish/files/move-into-place.ts';
import { fileOfPack, MAX_SEARCH_BLOCK_BYTES, readPack, writePack } from '../../publish/packs/pack-writer.ts';

/** Is after all codes of words. */
const AFTER_ALL = '~';

/**
 * Writes an index without the documents of some numbers, which are not used again, into the empty directory `out`. `last` is the
 * directory of the index as it was; files in which nothing changes become links to its files, or copies.
 */
export function eraseDocuments(erased: ReadonlySet<number>, index: IndexFiles, last: string, out: string): IndexFiles {
  for (const file of readdirSync(last)) {
    const [from, to] = [join(last, file), join(out, file)];
    if (!tryLink(from, to)) copyFileSync(from, to);
  }
  const read = (name: string): Pieces =>
    new Map(
      readPack(readFileSync(join(last, fileOfPack(name)), 'utf8'), MAX_SEARCH_BLOCK_BYTES).map(({ name: piece, data }) => [
        piece,
        data,
      ]),
    );
  const isErased = new Uint8Array(index.documents);
  for (const document of erased) isErased[document] = 1;
  const words = [...index.words];
  for (let block = words.length - 1; block >= 0; block--) {
    const pieces = read(`w${block}`);
    const left = eraseFromWords(pieces, isErased, () => read(`p${block}`));
    if (!left) continue;
    writePack(out, `w${block}`, wordBlock.encodeBlock(left, index.documents));
    writePack(out, `p${block}`, wordBlock.joinPlaces(left));
    // An empty block is never read: the next one begins with the same word.
    words[block] = left[0]?.word ?? words[block + 1] ?? AFTER_ALL;
  }
  for (let bucket = 0; bucket < index.buckets; bucket++) {
    const keys = decodeKeys(read(`k${bucket}`));
    const left = keys.filter(([, document]) => isErased[document] === 0);
    if (left.length < keys.length) writePack(out, `k${bucket}`, encodeKeys(left));
  }
  const firsts = firstsOf(index);
  for (const [block, first] of firsts.entries()) {
    if (!isErased.subarray(first, firsts[block + 1]).includes(1)) continue;
    const stored = decodeStored(read(`r${block}`));
    const left = stored.filter(({ number }) => isErased[number] === 0);
    if (left.length < stored.length) writePack(out, `r${block}`, encodeResults(left));
  }
  return { ...index, words };
}

/** Returns the words of a block without the documents; undefined if it has none of them. */
function eraseFromWords(pieces: Pieces, isErased: Uint8Array, readPlaces: () => Pieces): wordBlock.WordToWrite[] | undefined {
  const words = wordBlock.decodeWords(pieces).map((word) => ({ word, ...wordBlock.decodePostings(pieces, word) }));
  const hasErased = (documents: Uint32Array) => {
    for (let i = 0; i < documents.length; i++) if (isErased[documents[i] as number] === 1) return true;
    return false;
  };
  if (!words.some(({ documents }) => hasErased(documents))) return undefined;
  const placesOfBlock = wordBlock.dividePlaces(readPlaces());
  return words.flatMap(({ word: { word, number }, documents, weights }) => {
    const places = placesOfBlock[number] as Uint8Array;
    if (!hasErased(documents)) return [{ word, documents, weights, places }];
    const isLeft = (i: number) => isErased[documents[i] as number] === 0;
    const left = documents.filter((_, i) => isLeft(i));
    if (left.length === 0) return [];
    return [
      { word, documents: left, weights: weights.filter((_, i) => isLeft(i)), places: wordBlock.filterPlaces(places, isLeft) },
    ];
  });
}
