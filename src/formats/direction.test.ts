import { expect, it } from 'vitest';
import { directionOf, isolate, isolateNames } from './direction.ts';

it.each([
  ['ar', 'rtl'],
  ['he', 'rtl'],
  ['fa-IR', 'rtl'],
  ['yi', 'rtl'],
  ['az-Arab', 'rtl'],
  ['az', undefined],
  ['ja', undefined],
  [undefined, undefined],
])('writes %s in the direction %s', (lang, direction) => expect(directionOf(lang)).toBe(direction));

it('isolates what is written from right to left, and nothing else', () => {
  expect(isolate('رسالة (1942)')).toBe('\u2068رسالة (1942)\u2069');
  expect(isolate('A letter (1942)')).toBe('A letter (1942)');
  expect(isolateNames('محمد أحمد. “\u2068رسالة.\u2069” 1942.')).toBe('\u2068محمد أحمد\u2069. “\u2068رسالة.\u2069” 1942.');
});
