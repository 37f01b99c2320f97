import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration, parseDuration } from './quantities.ts';

describe('parseDuration', () => {
  it.each([
    ['00:02', 2],
    ['12:34', 754],
    ['01:02:03', 3723],
    ['754.21', 754.21],
    [2, 2],
  ])('parses %j', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each(['', 'an hour', null, undefined, '1:2', {}])('returns undefined for %j', (value) =>
    expect(parseDuration(value)).toBeUndefined(),
  );

  it('parses what formatDuration returns', () => {
    fc.assert(
      fc.property(fc.nat({ max: 360_000 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds))).toBe(seconds);
      }),
    );
  });
});

it.each(['9'.repeat(400), `${'9'.repeat(400)}:00:00`])('returns undefined for an infinite duration', (value) =>
  expect(parseDuration(value)).toBeUndefined(),
);

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1536, '1.5 KB'],
    [20_480, '20.5 KB'],
    [99_949, '99.9 KB'],
    [99_950, '100 KB'],
    [5_000_000, '5.0 MB'],
    [123_456_789_012, '123 GB'],
  ])('formats %d as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [999_999, '1.0 MB'],
    [999_999_999, '1.0 GB'],
  ])('D17: formats %d, at the border of two units, as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('D17: formats numbers and units for the language', () => {
    expect([0, 1, 1536, 999_999, 5_000_000].map((bytes) => formatBytes(bytes, 'es'))).toEqual([
      '0 bytes',
      '1 byte',
      '1,5 kB',
      '1,0 MB',
      '5,0 MB',
    ]);
    expect([999, 1536, 123_456_789_012].map((bytes) => formatBytes(bytes, 'ja'))).toEqual(['999 バイト', '1.5 KB', '123 GB']);
  });

  it('D17: rounds to the last digit, and has up to three digits', () => {
    const factors: Record<string, number> = { byte: 1, bytes: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
    const around = fc
      .tuple(fc.nat(4), fc.integer({ min: -1000, max: 1000 }))
      .map(([unit, off]) => Math.max(0, 1000 ** unit + off));
    fc.assert(
      fc.property(fc.oneof(fc.nat({ max: 999_499_999_999_999 }), around), (bytes) => {
        const [number, unit] = formatBytes(bytes).split(' ') as [string, string];
        const factor = factors[unit] as number;
        const step = factor === 1 ? 1 : number.includes('.') ? factor / 10 : factor;
        expect(Math.abs(Number(number) * factor - bytes)).toBeLessThanOrEqual(step / 2 + bytes * 1e-12);
        expect(number.replace('.', '').length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 2000 },
    );
  });
});
