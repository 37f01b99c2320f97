import fc from 'fast-check';
import { expect, it } from 'vitest';
import { instantOf, readTimestamp, toRfc3339, toW3cdtf } from './timestamps.ts';

it.each([
  ['2019-03-02T09:53:47', '2019-03-02T09:53:47', '2019-03-02T09:53:47-00:00', '2019-03-02'],
  ['2019-03-02T09:53:47.123456', '2019-03-02T09:53:47', '2019-03-02T09:53:47-00:00', '2019-03-02'],
  ['2019-03-02 09:53:47.0', '2019-03-02T09:53:47', '2019-03-02T09:53:47-00:00', '2019-03-02'],
  ['2019-03-02T09:53', '2019-03-02T09:53:00', '2019-03-02T09:53:00-00:00', '2019-03-02'],
  ['2019-03-02T09:53:47.123Z', '2019-03-02T09:53:47Z', '2019-03-02T09:53:47Z', '2019-03-02T09:53:47Z'],
  ['2019-03-02 09:53:47 UTC', '2019-03-02T09:53:47Z', '2019-03-02T09:53:47Z', '2019-03-02T09:53:47Z'],
  ['2019-03-02T09:53:47-0800', '2019-03-02T09:53:47-08:00', '2019-03-02T09:53:47-08:00', '2019-03-02T09:53:47-08:00'],
  ['2019-03-02T09:53:47+09', '2019-03-02T09:53:47+09:00', '2019-03-02T09:53:47+09:00', '2019-03-02T09:53:47+09:00'],
  ['2019-03-02', '2019-03-02', '2019-03-02T00:00:00-00:00', '2019-03-02'],
])('reads %s', (text, iso, rfc3339, w3cdtf) => {
  const timestamp = readTimestamp(text) as string;
  expect([timestamp, toRfc3339(timestamp), toW3cdtf(timestamp)]).toEqual([iso, rfc3339, w3cdtf]);
});

it.each([undefined, '', 'yesterday', '2019-02-30', '2019-13-01', '2019-03-02T25:00:00', '3/2/2019', '2019-03-02T09:53:47+99:00'])(
  'does not read %s',
  (text) => expect(readTimestamp(text)).toBeUndefined(),
);

it('orders by time, across zones', () => {
  const times = ['2019-03-02T08:59:59+09:00', '2019-03-02', '2019-03-02T00:00:01Z', '2019-03-01T17:00:00-08:00'];
  expect(times.sort((a, b) => instantOf(a) - instantOf(b)).map((time) => time.slice(8))).toEqual([
    '02T08:59:59+09:00',
    '02',
    '02T00:00:01Z',
    '01T17:00:00-08:00',
  ]);
});

it('reads any time that is written in ISO 8601', () => {
  const date = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (time) => {
      expect(instantOf(readTimestamp(time.toISOString()) as string)).toBe(Math.floor(time.getTime() / 1000) * 1000);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => void readTimestamp(text)));
});
