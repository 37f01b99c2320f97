/** Writes the facet table, the vocabulary and the names of a search index as packs, which pages load as scripts. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FACETS_DIRECTORY, type FacetPack, type Piece } from '../../formats/search/facet-table.ts';
import { encodeNames, type KeyedName, NAMES_ENTRY } from '../../formats/search/names.ts';
import { encodeWords, type VocabularyWord, WORDS_DIRECTORY, WORDS_ENTRY } from '../../formats/search/vocabulary.ts';
import { divide, writePack, writeParts } from './pack-writer.ts';

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

/**
 * Writes sorted values as packs with one entry each, and their directory. Their keys decide where they are divided, so that a new
 * one changes one pack only. Those of one key stay together.
 */
function writeSorted<T>(out: string, entry: string, values: Iterable<T>, { average, keyOf, encode }: Division<T>): void {
  const parts = divide(values, (value, part) => {
    const key = keyOf(value);
    if (part.length === 0 || key === keyOf(part.at(-1) as T)) return false;
    return part.length >= average * RANGE || (part.length >= average / RANGE && crc32(key) % average === 0);
  });
  const write = (pack: string, part: readonly T[]) => writePack(out, pack, [{ name: entry, data: Buffer.from(encode(part)) }]);
  writeParts(out, parts, keyOf, write);
}
