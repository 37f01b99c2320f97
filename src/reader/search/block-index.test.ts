import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Piece, Pieces } from '../../formats/search/facet-table.ts';
import { countBuckets, encodeKeys, type KeyOfDocument, keyBucket } from '../../formats/search/key-buckets.ts';
import { encodeBlock, encodePlaces, joinPlaces, type WordToWrite } from '../../formats/search/word-block.ts';
import { encodeHidden, encodeKey, encodePrefix, encodeWord } from '../../formats/search/word-codes.ts';
import { createBlockIndex, type IndexSet } from './block-index.ts';

/** A document: its words in their order, those that nothing may show, and where it is among all; -1 if it was erased. */
interface Doc {
  words: readonly string[];
  hidden: readonly string[];
  position: number;
}

const toPieces = (pieces: readonly Piece[]): Pieces => new Map(pieces.map(({ name, data }) => [name, data]));
const idOf = (document: number) => encodeKey('id', document < 0 ? 'erased' : `lica-${document}`) as string;

/** Writes the files of a set of documents, with `size` words in a block. */
function writeSet(name: string, documents: readonly Doc[], size: number): { set: IndexSet; files: Map<string, Pieces> } {
  const all = documents.map(({ words, hidden }) => [...words.map(encodeWord), ...hidden.map(encodeHidden)]);
  const words = [...new Set(all.flat())].sort().map((word): WordToWrite => {
    const own = all.flatMap((codes, document) => (codes.includes(word) ? [document] : []));
    const placesIn = (document: number) => (all[document] ?? []).flatMap((code, place) => (code === word ? [place] : []));
    return { word, documents: own, weights: own.map(() => 100), places: encodePlaces(own.map(placesIn)) };
  });
  const blocks = Array.from({ length: Math.ceil(words.length / size) }, (_, i) => words.slice(i * size, (i + 1) * size));
  const keys = documents.flatMap(({ position }, document): KeyOfDocument[] => (position < 0 ? [] : [[idOf(position), document]]));
  const buckets = countBuckets(keys.length);
  const files = new Map<string, Pieces>([
    ...blocks.flatMap(
      (block, i): Array<[string, Pieces]> => [
        [`${name}/w${i}.js`, toPieces(encodeBlock(block, documents.length))],
        [`${name}/p${i}.js`, toPieces(joinPlaces(block))],
      ],
    ),
    ...Array.from({ length: buckets }, (_, bucket): [string, Pieces] => {
      const own = keys.filter(([code]) => keyBucket(code, buckets) === bucket);
      return [`${name}/k${bucket}.js`, toPieces(encodeKeys(own))];
    }),
  ]);
  const firsts = blocks.map(([first]) => first?.word ?? '');
  const positions = Int32Array.from(documents, ({ position }) => position);
  return { set: { directory: `${name}/`, firsts, buckets, positions }, files };
}

/** Opens the index of a base and of what changed since. `loaded` gets the files that are loaded. */
function openIndex(sets: ReadonlyArray<readonly Doc[]>, size: number, loaded: string[] = []) {
  const written = sets.map((documents, i) => writeSet(String(i), documents, size));
  const files = new Map(written.flatMap((own) => [...own.files]));
  const total = sets.flat().filter(({ position }) => position >= 0).length;
  const load = async (file: string) => {
    loaded.push(file);
    const pieces = files.get(file);
    if (!pieces) throw new Error(`no ${file}`);
    return pieces;
  };
  return {
    files,
    index: createBlockIndex(
      written.map(({ set }) => set),
      total,
      load,
    ),
  };
}

const word = fc.constantFrom('net', 'nets', 'netting', 'loft', 'lofty', '港', '港の', 'q', '侘', '侘び');
const documents = fc.array(
  fc.record({
    words: fc.array(word, { maxLength: 8 }),
    hidden: fc.uniqueArray(word, { maxLength: 2 }),
    isErased: fc.boolean(),
  }),
  { maxLength: 12 },
);
const archives = fc.tuple(documents, documents).map((sets) => {
  let next = 0;
  return sets.map((own, i) =>
    own.map(({ words, hidden, isErased }): Doc => {
      if (isErased && i === 0) return { words: [], hidden: [], position: -1 };
      return { words, hidden: hidden.filter((each) => !words.includes(each)), position: next++ };
    }),
  );
});

it('finds words, beginnings, phrases and keys as a plain scan does, however its words are divided', async () => {
  await fc.assert(
    fc.asyncProperty(archives, fc.integer({ min: 1, max: 5 }), word, word, async (sets, size, first, second) => {
      const { index } = openIndex(sets, size);
      const current = sets.flat().filter(({ position }) => position >= 0);
      const scan = (matches: (own: Doc) => boolean) =>
        current.flatMap((own) => (matches(own) ? [own.position] : [])).sort((a, b) => a - b);
      const found = async (codes: readonly string[]) => Array.from((await index.search(codes)).documents);
      const has = (whole: string) => (own: Doc) => own.words.includes(whole) || own.hidden.includes(whole);
      const begins = (start: string) => (own: Doc) => [...own.words, ...own.hidden].some((each) => each.startsWith(start));
      expect(await found([encodeWord(first)])).toEqual(scan(has(first)));
      expect(await found([encodePrefix(first)])).toEqual(scan(begins(first)));
      expect(await found([encodeWord(first), encodePrefix(second)])).toEqual(
        scan((own) => has(first)(own) && begins(second)(own)),
      );
      expect(await index.find(encodeWord(first))).toEqual({
        isVisible: current.some((own) => own.words.includes(first)),
        isHidden: current.some((own) => own.hidden.includes(first)),
      });
      const phrase = await index.findPhrase([encodeWord(first), encodeWord(second)]);
      const follows = ({ words }: Doc) => words.some((each, i) => each === first && words[i + 1] === second);
      expect([...phrase]).toEqual(scan(follows));
      for (const { position } of current) expect(await found([idOf(position)])).toEqual([position]);
      expect(await found([idOf(-1)])).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('loads only the blocks that it needs, and a failed one again', async () => {
  const loaded: string[] = [];
  const words = ['ferry', 'loft', 'net', 'quay'];
  const { index, files } = openIndex([words.map((own, position) => ({ words: [own], hidden: [], position }))], 1, loaded);
  const block = files.get('0/w2.js') as Pieces;
  files.delete('0/w2.js');
  await expect(index.search([encodeWord('net')])).rejects.toThrow('no 0/w2.js');
  files.set('0/w2.js', block);
  expect((await index.search([encodeWord('net')])).documents).toHaveLength(1);
  expect((await index.search([encodePrefix('ne')])).documents).toHaveLength(1);
  expect(await index.find(encodeWord('net'))).toEqual({ isVisible: true, isHidden: false });
  expect(new Set(loaded)).toEqual(new Set(['0/w2.js', '0/w1.js'])); // words that begin with “ne” could be in the block before
  expect(loaded.filter((file) => file === '0/w2.js')).toHaveLength(2);
});

it('loads all blocks and keys of a query at the same time', async () => {
  const loaded: string[] = [];
  const words = ['ferry', 'loft', 'net', 'quay'];
  const { index } = openIndex([words.map((own, position) => ({ words: [own], hidden: [], position }))], 1, loaded);
  const preloaded = index.preload([encodeWord('ferry'), encodeWord('quay'), idOf(0)]);
  expect(loaded.toSorted()).toEqual(['0/k0.js', '0/w0.js', '0/w3.js']);
  await preloaded;
  expect((await index.search([encodeWord('ferry'), encodeWord('quay')])).documents).toHaveLength(0);
  expect(loaded).toHaveLength(3);
});
