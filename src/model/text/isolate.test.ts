import { expect, it } from 'vitest';
import { isolate, isolateNames } from './isolate.ts';

it('isolates what is written from right to left, and nothing else', () => {
  expect(isolate('رسالة (1942)')).toBe('\u2068رسالة (1942)\u2069');
  expect(isolate('A letter (1942)')).toBe('A letter (1942)');
  expect(isolateNames('محمد أحمد. “\u2068رسالة.\u2069” 1942.')).toBe('\u2068محمد أحمد\u2069. “\u2068رسالة.\u2069” 1942.');
});
