import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseContentRange, strongValidator } from './download-file.ts';

it.each([
  ['bytes 100-199/200', { start: 100, total: 200 }],
  ['bytes 0-0/*', { start: 0, total: undefined }],
  ['bytes */200', undefined],
  ['items 1-2/3', undefined],
  [undefined, undefined],
])('parses the Content-Range %s as %j', (header, range) => expect(parseContentRange(header)).toEqual(range));

it('parses the Content-Range of every range that it may request', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (start, length, rest) => {
      const end = start + length;
      expect(parseContentRange(`bytes ${start}-${end}/${end + rest + 1}`)).toEqual({ start, total: end + rest + 1 });
    }),
  );
});

const AT = 'Sat, 21 Nov 2026 12:00:00 GMT';
const BEFORE = 'Sat, 21 Nov 2026 11:59:00 GMT';
it.each([
  [{ etag: '"a"' }, '"a"'],
  [{ etag: 'W/"a"', 'last-modified': BEFORE, date: AT }, undefined],
  [{ etag: 'bare' }, undefined],
  [{ 'last-modified': BEFORE, date: AT }, BEFORE],
  [{ 'last-modified': AT, date: AT }, undefined],
  [{ 'last-modified': BEFORE }, undefined],
  [{}, undefined],
])('takes from %j the strong validator %s', (headers, validator) =>
  expect(strongValidator(headers as Record<string, string>)).toBe(validator),
);
