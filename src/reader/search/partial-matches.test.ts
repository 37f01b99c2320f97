import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findPartialMatches } from './partial-matches.ts';
import type { Found, KnownWord } from './word-index.ts';

const TOTAL = 12;
const TEXTS = ['net', 'loft', 'quay', '1942'];
const wordOf = (text: string, whole?: string): KnownWord => ({
  ...{ text, isPrefix: false, isVisible: true, isHidden: false },
  ...(whole === undefined ? {} : { whole }),
});
/** The words of each document. */
const texts = fc.array(fc.subarray(TEXTS), { minLength: TOTAL, maxLength: TOTAL });
const toFound = (documents: readonly number[]): Found => ({
  documents: Uint32Array.from(documents),
  scores: new Float32Array(documents.length).fill(1),
});

/** Finds the documents with the most of `words` in texts. */
function find(all: ReadonlyArray<readonly string[]>, words: readonly KnownWord[], required?: readonly number[]) {
  const search = async (wanted: readonly KnownWord[]) =>
    toFound([...all.keys()].filter((document) => wanted.every(({ text }) => all[document]?.includes(text))));
  return findPartialMatches(words, search, required && toFound(required), TOTAL);
}

it('finds the documents with the most words, a year before another word, each with the words that it has', async () => {
  const required = fc.option(fc.subarray([...Array(TOTAL).keys()]), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(texts, fc.subarray(TEXTS, { minLength: 2 }), required, async (all, wanted, among) => {
      const ownOf = (document: number) => wanted.filter((text) => all[document]?.includes(text));
      const weightOf = (document: number) => ownOf(document).reduce((sum, text) => sum + (text === '1942' ? 15 : 10), 0);
      const candidates = [...all.keys()].filter((document) => (among ? among.includes(document) : weightOf(document) > 0));
      const most = Math.max(0, ...candidates.map(weightOf));
      const expected = candidates.filter((document) => weightOf(document) === most);
      const found = await find(
        all,
        wanted.map((text) => wordOf(text)),
        among,
      );
      expect([...found.documents]).toEqual(expected);
      for (const document of expected) expect([...(found.matchedBy?.(document) ?? [])].sort()).toEqual(ownOf(document).sort());
      const combinations = new Set(expected.map((document) => ownOf(document).sort().join()));
      expect(new Set(found.combinations?.map((own) => [...own].sort().join()))).toEqual(combinations);
    }),
  );
});

it('finds the parts of a code only together, and nothing if no document has them', async () => {
  const words = [wordOf('quay', 'quay-1942'), wordOf('1942', 'quay-1942')];
  const documents = [['quay'], ['1942'], ['quay', '1942'], ...Array<string[]>(TOTAL - 3).fill([])];
  expect([...(await find(documents, words)).documents]).toEqual([2]);
  expect([...(await find(documents.with(2, []), words)).documents]).toEqual([]);
});
