import { expect, it } from 'vitest';
import { createManifestParser } from './manifest.ts';

const MANIFEST = 'aa  data/one.txt\r\nBB *data/two%0A%25.txt\n\ncc\tdata/山.txt';
const PARSED = new Map([
  ['data/one.txt', 'aa'],
  ['data/two\n%.txt', 'bb'],
  ['data/山.txt', 'cc'],
]);

it('parses a manifest that arrives in parts of any size', () => {
  for (let size = 1; size <= MANIFEST.length; size++) {
    const parser = createManifestParser();
    for (let at = 0; at < MANIFEST.length; at += size) parser.add(MANIFEST.slice(at, at + size));
    expect(parser.finish(), `parts of ${size}`).toEqual(PARSED);
  }
});

it.each([
  ['a line without a path', 'aa  data/one.txt\nbb\n'],
  ['a path twice', 'aa  data/one.txt\nbb  data/one.txt\n'],
  ['a last line that is cut off', 'aa  data/one.txt\nb'],
  ['a line without an end', `aa  ${'x'.repeat(200_000)}`],
])('returns undefined for %s', (_, text) => {
  const parser = createManifestParser();
  for (let at = 0; at < text.length; at += 70_000) parser.add(text.slice(at, at + 70_000));
  expect(parser.finish()).toBeUndefined();
});
