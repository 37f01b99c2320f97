import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countBuckets, decodeKeys, encodeKeys, findKey, type KeyOfDocument, keyBucket } from './key-buckets.ts';
import { encodeKey } from './word-codes.ts';

const toPieces = (pieces: ReturnType<typeof encodeKeys>) => new Map(pieces.map(({ name, data }) => [name, data]));
const byCode = ([a, x]: KeyOfDocument, [b, y]: KeyOfDocument) => (a < b ? -1 : a > b ? 1 : x - y);

it('finds the documents of a key in the file that its code decides, and of no other key', () => {
  const key = fc
    .tuple(fc.constantFrom('id', 'title', 'name'), fc.constantFrom('Lantern festival', 'lica-1', 'lica-2', '港', 'Vane, Leif'))
    .map(([kind, text]) => encodeKey(kind, text) as string);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(key, fc.nat(3_000_000))),
      key,
      fc.nat(3).map((power) => 2 ** power),
      (keys, wanted, buckets) => {
        const own = keys.filter(([code]) => keyBucket(code, buckets) === keyBucket(wanted, buckets)).sort(byCode);
        const expected = keys.flatMap(([code, document]) => (code === wanted ? [document] : [])).sort((a, b) => a - b);
        const pieces = toPieces(encodeKeys(own));
        expect(findKey(pieces, wanted)).toEqual(expected);
        expect(decodeKeys(pieces)).toEqual(own);
      },
    ),
  );
});

it('has the same file for a title and a name, which are searched together', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const [title, name] = [encodeKey('title', text), encodeKey('name', text)];
      if (title && name) expect(keyBucket(title, 1024)).toBe(keyBucket(name, 1024));
    }),
  );
});

it('divides keys evenly into files of at most a thousand', () => {
  for (const count of [0, 1, 1000, 1001, 20_000]) {
    const buckets = countBuckets(count);
    expect(count / buckets).toBeLessThanOrEqual(1000);
    const keys = Array.from({ length: count }, (_, i) => encodeKey('id', `lica-quay-${i}`) as string);
    const sizes = Map.groupBy(keys, (code) => keyBucket(code, buckets));
    const average = count / buckets;
    for (const [bucket, { length }] of sizes) {
      expect(bucket).toBeLessThan(buckets);
      expect(Math.abs(length - average)).toBeLessThanOrEqual(average / 4);
    }
  }
});
