import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countBuckets, encodeKeys, findKey, type KeyOfDocument, keyBucket } from './key-buckets.ts';
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
        expect(findKey(toPieces(encodeKeys(own)), wanted)).toEqual(expected);
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

it('divides keys evenly into files of some hundred', () => {
  for (const count of [0, 1, 400, 401, 20_000]) {
    const buckets = countBuckets(count);
    const keys = Array.from({ length: count }, (_, i) => encodeKey('id', `lica-quay-${i}`) as string);
    const sizes = Map.groupBy(keys, (code) => keyBucket(code, buckets));
    expect(Math.max(0, ...sizes.keys())).toBeLessThan(buckets);
    expect(Math.max(0, ...Array.from(sizes.values(), ({ length }) => length))).toBeLessThanOrEqual(450);
    if (count > 0)
      expect(Math.min(...Array.from(sizes.values(), ({ length }) => length))).toBeGreaterThan(Math.min(count, 200) - 1);
  }
});
