import { mkdirSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodePlaces, decodePostings, decodeWords, dividePlaces } from '../../formats/search/word-block.ts';
import { encodeNumber, encodeWord } from '../../formats/search/word-codes.ts';
import { readPack } from '../../publish/packs/pack-writer.ts';
import { startPagefind } from '../../search/pagefind-process.ts';
import { writeWords } from './write-words.ts';

const word = fc.constantFrom('net', 'nets', 'loft', 'quay', '港の', 'ferry', '1942', 'lamp');
const documents = fc.array(fc.array(word, { maxLength: 12 }), { minLength: 1, maxLength: 12 });

it('writes the words of all parts with their documents and places, however Pagefind names the pages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(documents, { minLength: 1, maxLength: 3 }), async (divided) => {
      using directory = mkdtempDisposableSync(join(tmpdir(), 'microfiche-words-'));
      const parts = [];
      let first = 0;
      for (const [p, part] of divided.entries()) {
        const pagefind = await startPagefind(`p${p}`);
        for (const [n, words] of part.entries()) {
          const content = [encodeNumber(n), ...words.map(encodeWord)].join(' ');
          await pagefind.add({ url: `page-${p}-${n}`, content, language: `p${p}`, meta: {} });
        }
        const out = join(directory.path, `p${p}`);
        await pagefind.write(out);
        pagefind.close();
        parts.push({ directory: out, first, documents: part.length });
        first += part.length;
      }
      const out = join(directory.path, 'out');
      mkdirSync(out);
      const firsts = writeWords(parts, first, out);
      const read = (name: string) =>
        new Map([...readPack(readFileSync(join(out, `${name}.js`), 'utf8'))].map((entry) => [entry.name, entry.data]));
      const found = firsts.flatMap((_, i) => {
        const [block, places] = [read(`w${i}`), read(`p${i}`)];
        return decodeWords(block).map((own) => {
          const { documents: numbers } = decodePostings(block, own);
          const { starts, places: all } = decodePlaces(dividePlaces(places)[own.number] as Uint8Array, numbers, numbers);
          const lists = Array.from(starts.subarray(1), (end, n) => [...all.subarray(starts[n], end)]);
          return [own.word, Array.from(numbers), lists];
        });
      });
      const all = divided.flat();
      const expected = [...new Set(all.flat())]
        .map(encodeWord)
        .sort()
        .map((code) => {
          const numbers = all.flatMap((words, n) => (words.some((own) => encodeWord(own) === code) ? [n] : []));
          const placesIn = (n: number) => (all[n] ?? []).flatMap((own, place) => (encodeWord(own) === code ? [place + 1] : []));
          return [code, numbers, numbers.map(placesIn)];
        });
      expect(found).toEqual(expected);
    }),
    { numRuns: 12 },
  );
});
