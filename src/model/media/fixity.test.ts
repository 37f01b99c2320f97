import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMismatch, readDeclaration, requiredAlgorithms, verifiedAlgorithms, verifyDeclarations } from './fixity.ts';

const measure = (bytes: Uint8Array) => {
  const hex = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  const checksums = {
    md5: hex('md5'),
    sha1: hex('sha1'),
    sha256: hex('sha256'),
    crc32: crc32(bytes).toString(16).padStart(8, '0'),
  };
  return { size: bytes.length, ...checksums };
};

describe('fixity', () => {
  it('accepts capitals, spaces, and a CRC-32 without leading zeros', () => {
    const { checksums, size } = readDeclaration('a', {
      md5: ` ${'AB'.repeat(16)} `,
      crc32: 'ff',
      sha1: 'none',
      sha256: '',
      size: 0,
    });
    expect([checksums, size]).toEqual([{ md5: 'ab'.repeat(16), crc32: '000000ff' }, undefined]);
  });

  it('reports no mismatch for intact bytes, and every mismatch if one bit is flipped', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), fc.nat(7), (bytes, at, bit) => {
        const intact = measure(bytes);
        const declared = [readDeclaration('a', { ...intact }), readDeclaration('b', {}, intact.sha1.slice(0, 10))];
        expect(verifyDeclarations(declared, intact)).toEqual([]);
        expect(verifiedAlgorithms(declared)).toEqual(['md5', 'crc32', 'sha1', 'sha256']);
        const flipped = Uint8Array.from(bytes);
        flipped[at % bytes.length] = (flipped[at % bytes.length] as number) ^ (1 << bit);
        expect(verifyDeclarations(declared, measure(flipped)).map(({ property }) => property)).toEqual([
          'md5',
          'crc32',
          'sha1',
          'sha256',
          'id',
        ]);
      }),
    );
  });

  it('needs only the declared checksums', () => {
    expect(requiredAlgorithms([readDeclaration('a', {})])).toEqual(new Set());
    expect(requiredAlgorithms([readDeclaration('a', {}, '0123456789')])).toEqual(new Set(['sha1']));
    expect(verifyDeclarations([readDeclaration('a', { size: 5 })], measure(Buffer.from('four')))).toEqual([
      { recordId: 'a', property: 'size', expected: '5', actual: '4' },
    ]);
  });

  it('formats a mismatch with both values', () => {
    expect(formatMismatch({ recordId: 'demo-1', property: 'size', expected: '5', actual: '4' })).toBe(
      'it has 4 bytes, but demo-1 declares 5',
    );
    expect(formatMismatch({ recordId: 'demo-1', property: 'crc32', expected: 'x', actual: 'y' })).toBe(
      'its CRC-32 is y, but demo-1 declares x',
    );
    expect(formatMismatch({ recordId: 'demo-1', property: 'id', expected: 'x', actual: 'y' })).toBe(
      'its SHA-1 is y, but the ID demo-1 declares x…',
    );
  });
});
