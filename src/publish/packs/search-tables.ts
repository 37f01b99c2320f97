/** Writes the facet table, the vocabulary and the names of a search index as packs, which pages load as scripts. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DIRECTORY, type Ranges } from '../../formats/pack-format.ts';
import { FACETS_DIRECTORY, type FacetPack, type Piece } from '../../formats/search/facet-table.ts';
import { encodeNames, type KeyedName, NAMES_ENTRY } from '../../formats/search/names.ts';
import { encodeWords, type VocabularyWord, WORDS_DIRECTORY, WORDS_ENTRY } from '../../formats/search/vocabulary.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { writePack, writeScript } from './pack-writer.ts';

/** Words in a pack, on average: some 15 KB. */
const WORDS_PER_PACK = 2048;
/** Names in a pack, on average: some 40 KB. */
const NAMES_PER_PACK = 1024;
/** A quarter of the average is the minimum of a pack; this multiple of it, the maximum. */
const RANGE = 4;

/** Writes both into the directory `out`, and deletes its former content. */
export function writeSearchTables(
  { facets, vocabulary }: { facets: ReadonlyMap<FacetPack, readonly Piece[]>; vocabulary: readonly VocabularyWord[] },
  out: string,
): void {
  rmSync(out, { recursive: true, force: true });
  const [words, columns] = [join(out, WORDS_DIRECTORY), join(out, FACETS_DIRECTORY)];
  for (const directory of [words, columns]) mkdirSync(directory, { recursive: true });
  for (const [pack, pieces] of facets) writePack(columns, pack, pieces);
  writeSorted(words, WORDS_ENTRY, vocabulary, { average: WORDS_PER_PACK, keyOf: ({ word }) => word, encode: encodeWords });
}

/** Writes the suggested names as packs into the directory `out`, deleting its former content. `names` are sorted by key. */
export function writeNames(names: Iterable<KeyedName>, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writeSorted(out, NAMES_ENTRY, names, { average: NAMES_PER_PACK, keyOf: ({ key }) => key, encode: encodeNames });
}

/** How sorted values are divided into packs. */
interface Division<T> {
  /** Values in a pack. */
  average: number;
  keyOf: (value: T) => string;
  encode: (values: readonly T[]) => string;
}

/** Writes sorted values as packs with one entry each, and their directory. */
function writeSorted<T>(out: string, entry: string, values: Iterable<T>, division: Division<T>): void {
  const ranges: Array<[first: string, pack: string]> = [];
  for (const part of divide(values, division)) {
    const first = division.keyOf(part[0] as T);
    const pack = shortHash(first);
    writePack(out, pack, [{ name: entry, data: Buffer.from(division.encode(part)) }]);
    ranges.push([first, pack]);
  }
  writeScript(out, DIRECTORY, ranges satisfies Ranges);
}

/** Divides values where their keys decide it, so that a new one changes one pack only. Those of one key stay together. */
function* divide<T>(values: Iterable<T>, { average, keyOf }: Division<T>): Generator<T[]> {
  let part: T[] = [];
  let previous: string | undefined;
  for (const value of values) {
    const key = keyOf(value);
    const isBoundary = crc32(key) % average === 0;
    if (key !== previous && (part.length >= average * RANGE || (part.length >= average / RANGE && isBoundary))) {
      yield part;
      part = [];
    }
    part.push(value);
    previous = key;
  }
  if (part.length > 0) yield part;
}
