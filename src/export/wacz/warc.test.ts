import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedGzip } from './warc.ts';

async function wrap(chunks: readonly Uint8Array[]): Promise<Buffer> {
  async function* content() {
    yield* chunks;
  }
  const parts: Uint8Array[] = [];
  for await (const part of storedGzip(content())) parts.push(part);
  return Buffer.concat(parts);
}

it('gives bytes that gzip reads, the same for each division into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(200_000), fc.array(fc.nat(200_000), { maxLength: 5 }), async (size, cuts) => {
      const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8)) % 256));
      const ends = [...cuts, size].map((cut) => Math.min(cut, size)).sort((a, b) => a - b);
      const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
      const member = await wrap(chunks);
      expect(gunzipSync(member).equals(bytes)).toBe(true);
      expect(member.equals(await wrap([bytes]))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it.each([0, 65_534, 65_535, 65_536, 131_070])('wraps %i bytes', async (size) => {
  const bytes = Buffer.alloc(size, 'nets');
  expect(gunzipSync(await wrap([bytes])).equals(bytes)).toBe(true);
});
