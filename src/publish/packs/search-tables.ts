/** Writes the facet table and the vocabulary of a search index as packs, which the search page loads as scripts. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FACETS_DIRECTORY, type FacetPack, type Piece } from '../../client/facet-table.ts';
import { DIRECTORY, type Ranges } from '../../client/pack-format.ts';
import { encodeWords, type VocabularyWord, WORDS_DIRECTORY, WORDS_ENTRY } from '../../client/vocabulary.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { writePack, writeScript } from './pack-writer.ts';

/** Words in a pack of the vocabulary: on average, and the limits. 2,000 words take some 15 KB. */
const WORDS_PER_PACK = 2048;
const [MIN_WORDS, MAX_WORDS] = [WORDS_PER_PACK / 4, WORDS_PER_PACK * 4];

/** What the search page needs in addition to Pagefind's files. */
export interface SearchTables {
  facets: ReadonlyMap<FacetPack, readonly Piece[]>;
  /** Sorted. */
  vocabulary: readonly VocabularyWord[];
}

/** Writes both into the directory `out`, and deletes its former content. */
export function writeSearchTables({ facets, vocabulary }: SearchTables, out: string): void {
  rmSync(out, { recursive: true, force: true });
  const [words, columns] = [join(out, WORDS_DIRECTORY), join(out, FACETS_DIRECTORY)];
  for (const directory of [words, columns]) mkdirSync(directory, { recursive: true });
  for (const [pack, pieces] of facets) writePack(columns, pack, pieces);
  const ranges: Array<[first: string, pack: string]> = [];
  for (const part of divide(vocabulary)) {
    const { word: first } = part[0] as VocabularyWord;
    const pack = shortHash(first);
    writePack(words, pack, [{ name: WORDS_ENTRY, data: Buffer.from(encodeWords(part)) }]);
    ranges.push([first, pack]);
  }
  writeScript(words, DIRECTORY, ranges satisfies Ranges);
}

/** Divides the vocabulary where the words decide it, so that a new word changes one pack only. */
function* divide(vocabulary: readonly VocabularyWord[]): Generator<VocabularyWord[]> {
  let part: VocabularyWord[] = [];
  for (const entry of vocabulary) {
    if (part.length >= MAX_WORDS || (part.length >= MIN_WORDS && isBoundary(entry.word))) {
      yield part;
      part = [];
    }
    part.push(entry);
  }
  if (part.length > 0) yield part;
}

function isBoundary(word: string): boolean {
  return crc32(word) % WORDS_PER_PACK === 0;
}
