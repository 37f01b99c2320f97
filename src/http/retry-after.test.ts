import { expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const NOON = 'Sat, 21 Nov 2026 12:00:00 GMT';

it.each([
  ['120', undefined, 120_000],
  [' 0 ', undefined, 0],
  ['120.5', undefined, 121_000],
  ['.5', undefined, 1_000],
  ['.', undefined, undefined],
  ['299.997', undefined, 300_000],
  ['5, 30, soon', undefined, 30_000],
  ['172800', undefined, 172_800_000],
  ['Sat, 21 Nov 2026 12:00:30 GMT', NOON, 30_000],
  ['10, Sat, 21 Nov 2026 12:00:30 GMT', NOON, 30_000],
  ['Sat, 21 Nov 2026 12:00:30 +0000', NOON, 30_000],
  ['Sat, 21 Nov 2026 12:00:30 UTC', 'Sat, 21 Nov 2026 12:00:00 UTC', 30_000],
  ['Saturday, 21-Nov-26 12:00:30 GMT', NOON, 30_000],
  ['Sat Nov 21 12:00:30 2026', NOON, 30_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', NOON, 0],
  ['sat, 21 nov 2026 12:00:30 gmt', NOON, 30_000],
  ['1795262430', NOON, 30_000],
  ['1500000000', NOON, 0],
  ['soon', NOON, undefined],
  ['May 5', NOON, undefined],
  ['-5', NOON, undefined],
  [undefined, NOON, undefined],
])('parses Retry-After %s at %s as %s ms', (header, date, expected) => expect(parseRetryAfter(header, date)).toBe(expected));

it('reads long headers in little time', () => {
  const start = process.cpuUsage();
  for (const piece of ['a', 'aaa ', 'Sat, 1 ']) parseRetryAfter(piece.repeat(256_000 / piece.length));
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
});

it('compares with the local clock if the response has no Date header', () => {
  const wait = parseRetryAfter(new Date(Date.now() + 10_000).toUTCString());
  expect(wait).toBeGreaterThan(8_000);
  expect(wait).toBeLessThanOrEqual(10_000);
});
