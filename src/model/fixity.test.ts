import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { algorithmsFor, declarationOf, mismatchesOf, mismatchLine, provenBy } from './fixity.ts';

const measure = (bytes: Uint8Array) => {
  const hex = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  const sums = { md5: hex('md5'), sha1: hex('sha1'), sha256: hex('sha256'), crc32: crc32(bytes).toString(16).padStart(8, '0') };
  return { size: bytes.length, ...sums };
};

describe('what a record says of a file', () => {
  it('is read in capitals, with spaces, and without the first zeros of a CRC-32', () => {
    const { sums, size } = declarationOf('a', { md5: ` ${'AB'.repeat(16)} `, crc32: 'ff', sha1: 'none', sha256: '', size: 0 });
    expect([sums, size]).toEqual([{ md5: 'ab'.repeat(16), crc32: '000000ff' }, undefined]);
  });

  it('never accuses a file that is as it says, and always one of which a bit is flipped', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), fc.nat(7), (bytes, at, bit) => {
        const whole = measure(bytes);
        const declared = [declarationOf('a', { ...whole }), declarationOf('b', {}, whole.sha1.slice(0, 10))];
        expect(mismatchesOf(declared, whole)).toEqual([]);
        expect(provenBy(declared)).toEqual(['md5', 'crc32', 'sha1', 'sha256']);
        const flipped = Uint8Array.from(bytes);
        flipped[at % bytes.length] = (flipped[at % bytes.length] as number) ^ (1 << bit);
        expect(mismatchesOf(declared, measure(flipped)).map(({ what }) => what)).toEqual([
          'md5',
          'crc32',
          'sha1',
          'sha256',
          'id',
        ]);
      }),
    );
  });

  it('says which sums it takes, and nothing where nothing is said', () => {
    expect(algorithmsFor([declarationOf('a', {})])).toEqual(new Set());
    expect(algorithmsFor([declarationOf('a', {}, '0123456789')])).toEqual(new Set(['sha1']));
    expect(mismatchesOf([declarationOf('a', { size: 5 })], measure(Buffer.from('four')))).toEqual([
      { by: 'a', what: 'size', expected: '5', actual: '4' },
    ]);
  });

  it('is told with both values', () => {
    expect(mismatchLine({ by: 'demo-1', what: 'size', expected: '5', actual: '4' })).toBe('it has 4 bytes, and demo-1 says 5');
    expect(mismatchLine({ by: 'demo-1', what: 'crc32', expected: 'x', actual: 'y' })).toBe('its CRC-32 is y, and demo-1 says x');
    expect(mismatchLine({ by: 'demo-1', what: 'id', expected: 'x', actual: 'y' })).toBe(
      'its SHA-1 is y, and the id demo-1 begins it with x',
    );
  });
});
