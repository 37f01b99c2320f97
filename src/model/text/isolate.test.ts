import { expect, it } from 'vitest';
import { encloseInMarks, isolate, isolateNames } from './isolate.ts';

it('isolates what is written from right to left, and nothing else', () => {
  expect(isolate('رسالة (1942)')).toBe('\u2068رسالة (1942)\u2069');
  expect(isolate('A letter (1942)')).toBe('A letter (1942)');
  expect(isolateNames('محمد أحمد. “\u2068رسالة.\u2069” 1942.')).toBe('\u2068محمد أحمد\u2069. “\u2068رسالة.\u2069” 1942.');
});

it('marks both ends of a text that is written from right to left', () => {
  expect([encloseInMarks('184 كيلوبايت'), encloseInMarks('184 KB')]).toEqual(['\u200f184 كيلوبايت\u200f', '184 KB']);
});
