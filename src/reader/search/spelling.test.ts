import { expect, it } from 'vitest';
import { findNearest, findParts, otherNumbers, toOneRomanization } from './spelling.ts';

const words = [
  'murasaki',
  'asparagus',
  'festival',
  'lantern',
  'lanterns',
  'cannery',
  'canaries',
  'net',
  'vane',
  'vine',
  'shereen',
].map((word, i) => ({ word, documents: i + 1 }));

it.each([
  ['morasaki', 'murasaki'],
  ['asparagas', 'asparagus'],
  ['festval', 'festival'],
  ['lantren', 'lantern'],
  ['canery', 'cannery'],
  ['vanr', 'vane'],
  ['bane', 'vane'],
  ['xylophone', undefined],
  ['fishermen', undefined],
  ['1947', undefined],
  ['灯', undefined],
  ['ne', undefined],
])('suggests for %s: %s', (typed, nearest) => expect(findNearest(typed, words)).toBe(nearest));

it.each([
  ['netcannery', 'net cannery'],
  ['lanternvine', 'lantern vine'],
  ['secretnet', undefined],
  ['netsx', undefined],
])('splits %s: %s', (typed, split) => expect(findParts(typed, words)?.join(' ')).toBe(split));

it.each([
  ['telegrams', 'telegram'],
  ['recipe', 'recipes'],
  ['batteries', 'battery'],
  ['fishermen', 'fisherman'],
  ['loaf', 'loaves'],
  ['flores', 'flor'],
  ['luces', 'luz'],
  ['church', 'churches'],
])('knows that %s and %s differ in number', (a, b) => {
  expect(otherNumbers(a)).toContain(b);
  expect(otherNumbers(b)).toContain(a);
});

it.each([
  'ohta oota ota',
  'uyeda ueda',
  'inouye inoue',
  'homma honma',
  'yuuki yuki',
  'satoh satou sato',
  'tuda tsuda',
  'matumoto matsumoto',
  'huji fuji',
  'yuhki yuuki yuki',
  'syozo shozo',
  'tyuzo chuzo',
  'zyunko junko',
])('has one form for %s', (names) => expect(new Set(names.split(' ').map(toOneRomanization)).size).toBe(1));

it.each(['ohara oara', 'taka chaka', 'honda homda'])('keeps apart %s', (names) =>
  expect(new Set(names.split(' ').map(toOneRomanization)).size).toBe(2),
);
