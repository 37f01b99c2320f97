/** What a reader copies from a text is found, in any script: the words of a query are among those that are indexed. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spellEastAsian } from '../../src/formats/search/east-asian.ts';
import { eastAsian } from '../../src/formats/search/fold-letters.ts';
import { parseQuery } from '../../src/formats/search/parse-query.ts';
import { splitNameParts, splitWords } from '../../src/formats/search/searchable-text.ts';
import { INVENTED } from '../support/invented-scripts.ts';

// As the index and the browser do for such texts.
eastAsian.spell = spellEastAsian;

const TEXTS = INVENTED.flatMap(([, title, description]) => [title, description]);
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Returns what of a query an index of the text does not have: words, and sequences of words. */
function findMissing(query: string, text: string): string[] {
  const indexed = splitWords(text);
  const words = new Set([...indexed, ...splitNameParts(text)]);
  const { words: asked, single, runs, phrases } = parseQuery(query);
  const has = (word: string, isPrefix: boolean) =>
    words.has(word) || (isPrefix && [...words].some((each) => each.startsWith(word)));
  const follows = (sequence: readonly string[]) => indexed.some((_, at) => sequence.every((word, n) => indexed[at + n] === word));
  return [
    ...[...asked, ...single].filter((word) => !has(word.text, word.isPrefix)).map(({ text: word }) => word),
    ...[...runs, ...phrases].filter((sequence) => !follows(sequence)).map((sequence) => sequence.join(' ')),
  ];
}

it('finds any run of words that is copied from the text of a record', () => {
  const copied = fc.constantFrom(...TEXTS).chain((text) => {
    const ends = Array.from(segmenter.segment(text), ({ index, segment }) => index + segment.length);
    return fc.subarray([0, ...ends], { minLength: 2, maxLength: 2 }).map(([from, to]) => ({ text, query: text.slice(from, to) }));
  });
  fc.assert(
    fc.property(copied, ({ text, query }) => {
      expect([query, findMissing(query, text)]).toEqual([query, []]);
      expect([query, parseQuery(query).words.length > 0]).toEqual([query, splitWords(query).length > 0]);
    }),
    { seed: 36, numRuns: 5_000 },
  );
});
