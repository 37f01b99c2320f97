import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration, parseDuration } from './durations.ts';

describe('parseDuration', () => {
  it.each([
    ['00:02', 2],
    ['12:34', 754],
    ['01:02:03', 3723],
    ['754.21', 754.21],
    [2, 2],
  ])('reads %j', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each(['', 'an hour', null, undefined, '1:2', {}])('leaves %j unread', (value) =>
    expect(parseDuration(value)).toBeUndefined(),
  );

  it('reads back what formatDuration writes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 360_000 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds))).toBe(seconds);
      }),
    );
  });
});

it('formats bytes', () => {
  expect([0, 999, 1536, 20_480, 5_000_000, 123_456_789_012].map(formatBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.5 KB',
    '20.5 KB',
    '5.0 MB',
    '123 GB',
  ]);
});
