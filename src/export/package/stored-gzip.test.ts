import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createStoredGzip, storedGzipSize } from './stored-gzip.ts';

function wrap(chunks: readonly Uint8Array[]): Buffer {
  const gzip = createStoredGzip();
  const parts = chunks.flatMap((chunk) => [...gzip.add(chunk).map((bytes) => Buffer.from(bytes))]);
  return Buffer.concat([...parts, gzip.finish()]);
}

it('gives bytes that gzip reads, the same for each division into chunks', () => {
  fc.assert(
    fc.property(fc.nat(200_000), fc.array(fc.nat(200_000), { maxLength: 5 }), (size, cuts) => {
      const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8)) % 256));
      const ends = [...cuts, size].map((cut) => Math.min(cut, size)).sort((a, b) => a - b);
      const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
      const member = wrap(chunks);
      expect(gunzipSync(member).equals(bytes)).toBe(true);
      expect(member.equals(wrap([bytes]))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it.each([0, 65_534, 65_535, 65_536, 131_070, 1_048_559, 1_048_560, 1_048_561, 3_000_000])('wraps %i bytes', (size) => {
  const bytes = Buffer.alloc(size, 'nets');
  const member = wrap([bytes]);
  expect(gunzipSync(member).equals(bytes)).toBe(true);
  expect(member).toHaveLength(storedGzipSize(size));
});
