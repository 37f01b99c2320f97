import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPosition } from './coordinates.ts';

it.each([
  [34.3853, -118.5, 34.3853, -118.5],
  ['34.3853', '-118.5', 34.3853, -118.5],
  ['+34.3853', '+135.5', 34.3853, 135.5],
  ['34,3853', '-118,5', 34.3853, -118.5],
  ['−34.5', '–58.4', -34.5, -58.4],
  [' 34.5 ', '.5', 34.5, 0.5],
  ['34.3853°', '118.5°', 34.3853, 118.5],
  [`34°23'7"N`, `118°30'0"W`, 34.3852778, -118.5],
  ['34° 23′ 7.5″ N', '118° 30′ W', 34.3854167, -118.5],
  ['N 34 23 7', 'W 118 30 0', 34.3852778, -118.5],
  ['34 23.117 N', '118.5 O', 34.3852833, -118.5],
  ['34d23m7s N', '118:30:00 W', 34.3852778, -118.5],
  ['34.5 S', '58.4 oeste', -34.5, -58.4],
  ['北緯34度23分7秒', '東経135度30分', 34.3852778, 135.5],
  ['３４．５', '１３５．５', 34.5, 135.5],
  [0, -122, 0, -122],
  [-118.5, 34.3853, 34.3853, -118.5],
  ['135.5', '34.5', 34.5, 135.5],
  ['118°30′W', '34°23′7″N', 34.3852778, -118.5],
  ['-80 W', '34', 34, -80],
  [1e-9, 5, 0, 5],
  ['34.3853, -118.5', '', 34.3853, -118.5],
  ['34.3853,-118.5', null, 34.3853, -118.5],
  [`34°23'7"N 118°30'0"W`, undefined, 34.3852778, -118.5],
  [90, 180, 90, 180],
])('reads %j and %j', (lat, lng, y, x) => expect(readPosition(lat, lng).position).toEqual({ lat: y, lng: x }));

it.each([
  [0, 0, '0, 0'],
  ['0.0', '-0', '0.0, -0'],
  [34.5, undefined, '34.5, –'],
  [null, '34.5', '–, 34.5'],
  ['unknown', '34.5', 'unknown, 34.5'],
  [91, 181, '91, 181'],
  [100, 120, '100, 120'],
  [1e308, '9'.repeat(400), undefined],
  ['34.5.5', '3', '34.5.5, 3'],
  ['34°75′', '118°', '34°75′, 118°'],
  ['34 N', '35 N', '34 N, 35 N'],
  ['-34 N', '35', '-34 N, 35'],
])('cannot use %j and %j, and reports them', (lat, lng, words) => {
  const { position, unusable } = readPosition(lat, lng);
  expect(position).toBeUndefined();
  expect(unusable).toBeTypeOf('string');
  if (words !== undefined) expect(unusable).toBe(words);
});

it.each([
  [undefined, undefined],
  [null, ''],
  ['', []],
  [{}, undefined],
])('takes %j and %j for no position', (lat, lng) =>
  expect(readPosition(lat, lng)).toEqual({ position: undefined, unusable: undefined }),
);

it('reads anything without an error, and yields only positions on the globe', () => {
  const piece = fc.constantFrom('3', '118', '.', ',', ' ', '°', "'", '"', 'N', 'W', '-', '+', '北緯', '度', 'o', ';');
  const word = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  const anything = fc.oneof(word, fc.double(), fc.string(), fc.anything());
  fc.assert(
    fc.property(anything, anything, (lat, lng) => {
      const { position } = readPosition(lat, lng);
      if (!position) return;
      expect(Math.abs(position.lat)).toBeLessThanOrEqual(90);
      expect(Math.abs(position.lng)).toBeLessThanOrEqual(180);
      expect(position).not.toEqual({ lat: 0, lng: 0 });
    }),
    { numRuns: 2000 },
  );
});

it('reads what degrees, minutes and seconds say', () => {
  fc.assert(
    fc.property(fc.nat(89), fc.nat(59), fc.nat(59), fc.nat(179), (d, m, s, lng) => {
      fc.pre(d + m + s + lng > 0);
      const { position } = readPosition(`${d}°${m}′${s}″S`, `${lng}°E`);
      expect(position?.lat).toBeCloseTo(-(d + m / 60 + s / 3600), 6);
      expect(position?.lng).toBe(lng);
    }),
  );
});
