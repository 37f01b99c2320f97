import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeKeys, type KeyOfDocument } from '../../formats/search/key-buckets.ts';
import { encodeResults } from '../../formats/search/result-blocks.ts';
import { encodeCount, type IndexFiles } from '../../formats/search/start-file.ts';
import { encodeBlock, encodePlaces, joinPlaces, type WordToWrite } from '../../formats/search/word-block.ts';
import { writePack } from '../../publish/packs/pack-writer.ts';
import { eraseDocuments } from './erase-documents.ts';

/** The documents of an index: the words of each, in their order. */
type Texts = ReadonlyArray<readonly string[]>;

const RESULTS_IN_FILE = 3;
/** Words in a block, by their first letters. */
const BLOCKS = [/^a/, /^b/, /^c/];

/** Writes an index of documents that has everything but those that are erased. */
function writeFiles(texts: Texts, erased: ReadonlySet<number>, out: string): IndexFiles {
  mkdirSync(out, { recursive: true });
  const left = texts.map((words, document) => ({ words, document })).filter(({ document }) => !erased.has(document));
  const all = [...new Set(texts.flat())].sort();
  const blocks = BLOCKS.map((pattern) =>
    all.flatMap((word): WordToWrite[] => {
      const found = pattern.test(word) ? left.filter(({ words }) => words.includes(word)) : [];
      const placesIn = (words: readonly string[]) => words.flatMap((own, place) => (own === word ? [place] : []));
      const documents = found.map(({ document }) => document);
      const places = encodePlaces(found.map(({ words }) => placesIn(words)));
      return found.length === 0 ? [] : [{ word, documents, weights: documents.map((document) => document + 1), places }];
    }),
  );
  for (const [i, block] of blocks.entries()) {
    writePack(out, `w${i}`, encodeBlock(block, texts.length));
    writePack(out, `p${i}`, joinPlaces(block));
  }
  writePack(out, 'k0', encodeKeys(left.map(({ words, document }): KeyOfDocument => [`q4${words[0] ?? ''}`, document])));
  let results = '';
  for (let first = 0; first < texts.length; first += RESULTS_IN_FILE) {
    const own = left.filter(({ document }) => document >= first && document < first + RESULTS_IN_FILE);
    const stored = own.map(({ document, words }) => ({
      number: document,
      page: `d/${document}/`,
      shown: JSON.stringify({ words }),
    }));
    writePack(out, `r${results.length}`, encodeResults(stored));
    results += encodeCount(Math.min(RESULTS_IN_FILE, texts.length - first));
  }
  const firsts = ['a', 'b', 'c'].map((letter, i) => blocks[i]?.[0]?.word ?? letter);
  return { documents: texts.length, words: firsts, results, buckets: 1 };
}

const readAll = (directory: string) =>
  new Map(readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), 'utf8')]));

const word = fc.constantFrom('a', 'ab', 'abc', 'b', 'ba', 'c', 'ca', 'cab');
const texts = fc.array(fc.array(word, { maxLength: 8 }), { minLength: 1, maxLength: 40 });

it('leaves the files that the other documents would have had alone, and the old ones as they are', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(39), { maxLength: 6 }), (all, numbers) => {
      using directory = mkdtempDisposableSync(join(tmpdir(), 'erase-'));
      const [last, expected, out] = ['last', 'expected', 'out'].map((name) => join(directory.path, name)) as [
        string,
        string,
        string,
      ];
      const erased = new Set(numbers);
      const index = writeFiles(all, new Set(), last);
      const before = readAll(last);
      const left = writeFiles(all, erased, expected);
      mkdirSync(out);
      const written = eraseDocuments(erased, index, last, out);
      expect(readAll(out)).toEqual(readAll(expected));
      expect(readAll(last)).toEqual(before);
      expect({ ...written, words: [] }).toEqual({ ...left, words: [] });
      expect(written.words).toEqual([...written.words].sort());
      // A block is found by its first word, and no first word is only in what was erased.
      const existing = new Set<string>(all.filter((_, document) => !erased.has(document)).flat());
      const isErased = (first: string) =>
        all.some((words) => (words as readonly string[]).includes(first)) && !existing.has(first);
      expect(written.words.filter(isErased)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

it('skips a block that is left empty', () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'erase-'));
  const [last, out] = [join(directory.path, 'last'), join(directory.path, 'out')];
  const index = writeFiles([['a'], ['b'], ['c']], new Set(), last);
  const firstsWithout = (document: number) => {
    mkdirSync(`${out}${document}`);
    return eraseDocuments(new Set([document]), index, last, `${out}${document}`).words;
  };
  expect([firstsWithout(1), firstsWithout(2)]).toEqual([
    ['a', 'c', 'c'],
    ['a', 'b', '~'],
  ]);
});
