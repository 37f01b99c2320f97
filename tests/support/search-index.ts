/** Reads the search index of a site. */
import type { Pieces } from '../../src/formats/search/facet-table.ts';
import { decodeResults, type IndexedResult } from '../../src/formats/search/result-blocks.ts';
import { INDEX_DIRECTORY, START, type Start } from '../../src/formats/search/start-file.ts';
import { decodeWords as decodeVocabulary } from '../../src/formats/search/vocabulary.ts';
import { decodePostings, decodeWords } from '../../src/formats/search/word-block.ts';
import { readPack } from '../../src/publish/packs/pack-writer.ts';

/** The files of a site by their paths. */
type Files = ReadonlyMap<string, Buffer>;

/** The directory of the search index in a site. */
export const INDEX = `assets/${INDEX_DIRECTORY}`;

/** Returns the pieces of a file of the index, or of the tables of search. */
export function readPieces(script: Buffer): Pieces {
  return new Map([...readPack(script.toString())].map(({ name, data }) => [name, data]));
}

/** Returns the content of the start file. */
export function readStart(files: Files): Start {
  const script = String(files.get(`${INDEX}/${START}.js`));
  return JSON.parse(script.slice(script.indexOf(',') + 1, script.lastIndexOf(')'))) as Start;
}

/** Returns the pieces of the files of a kind: `w` with words, `p` with their places, `k` with keys, `r` with results. */
function* filesOf(files: Files, kind: string): Generator<Pieces> {
  const name = new RegExp(`^${INDEX}/[^/]+/${kind}\\d+\\.js$`);
  for (const [path, script] of files) if (name.test(path)) yield readPieces(script);
}

/** Returns what results show. */
export function readResults(files: Files): IndexedResult[] {
  return [...filesOf(files, 'r')].flatMap((pieces) => [...decodeResults(pieces).values()]);
}

/** Packs of search: the index without its start file, and the tables without their directories. */
const PACKS = /^assets\/(?:index\/\w+\/|(?:words|names|facets)\/(?!directory\.js$))/;

const WORDS = new RegExp(`^${INDEX}/[^/]+/w\\d+\\.js$`);

/** Returns all that is written in the packs of search, by their paths; of lists of words, each in full. */
export function readTexts(files: Files): Array<[path: string, text: string]> {
  const list = (words: ReadonlyArray<{ word: string }>) => words.map(({ word }) => word).join('\n');
  return [...files].flatMap(([path, script]): Array<[string, string]> => {
    if (!PACKS.test(path)) return [];
    const pieces = readPieces(script);
    if (WORDS.test(path)) return [[path, list(decodeWords(pieces))]];
    const texts = Array.from(pieces.values(), (data) => Buffer.from(data).toString());
    return texts.map((text) => [path, path.startsWith('assets/words/') ? list(decodeVocabulary(text)) : text]);
  });
}

/** Returns the codes of the words, each with the number of documents in the index that have it. */
export function readIndexedWords(files: Files): Map<string, number> {
  const words = new Map<string, number>();
  for (const pieces of filesOf(files, 'w'))
    for (const own of decodeWords(pieces))
      words.set(own.word, (words.get(own.word) ?? 0) + decodePostings(pieces, own).documents.length);
  return words;
}
