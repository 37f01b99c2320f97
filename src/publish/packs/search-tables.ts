/** Writes the facet table, the vocabulary and the names of a search index as packs, which pages load as scripts. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FACETS_DIRECTORY, type FacetPack, type Piece } from '../../client/facet-table.ts';
import { encodeNames, type KeyedName, NAMES_ENTRY } from '../../client/names.ts';
import { DIRECTORY, type Ranges } from '../../client/pack-format.ts';
import { encodeWords, type VocabularyWord, WORDS_DIRECTORY, WORDS_ENTRY } from '../../client/vocabulary.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { writePack, writeScript } from './pack-writer.ts';

/** Words or names in a pack: on average, and the limits. 2,000 words take some 15 KB. */
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
  writeSorted(words, WORDS_ENTRY, vocabulary, ({ word }) => word, encodeWords);
}

/** Writes the names that are suggested as packs into the directory `out`, and deletes its former content. `names` are sorted by key. */
export function writeNames(names: readonly KeyedName[], out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writeSorted(out, NAMES_ENTRY, names, ({ key }) => key, encodeNames);
}

/** Writes sorted values as packs with one entry each, and their directory. */
function writeSorted<T>(
  out: string,
  entry: string,
  values: readonly T[],
  keyOf: (value: T) => string,
  encode: (values: readonly T[]) => string,
): void {
  const ranges: Array<[first: string, pack: string]> = [];
  for (const part of divide(values, keyOf)) {
    const first = keyOf(part[0] as T);
    const pack = shortHash(first);
    writePack(out, pack, [{ name: entry, data: Buffer.from(encode(part)) }]);
    ranges.push([first, pack]);
  }
  writeScript(out, DIRECTORY, ranges satisfies Ranges);
}

/** Divides values where their keys decide it, so that a new one changes one pack only. Those of one key stay together. */
function* divide<T>(values: readonly T[], keyOf: (value: T) => string): Generator<T[]> {
  let part: T[] = [];
  let previous: string | undefined;
  for (const value of values) {
    const key = keyOf(value);
    if (key !== previous && (part.length >= MAX_WORDS || (part.length >= MIN_WORDS && isBoundary(key)))) {
      yield part;
      part = [];
    }
    part.push(value);
    previous = key;
  }
  if (part.length > 0) yield part;
}

function isBoundary(key: string): boolean {
  return crc32(key) % WORDS_PER_PACK === 0;
}
