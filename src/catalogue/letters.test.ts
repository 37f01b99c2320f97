import { expect, it } from 'vitest';
import { letterOf } from './letters.ts';

it.each([
  ['ashlock', 'A'],
  ['Àlvarez', 'A'],
  ['“quill”', 'Q'],
  ['100wool', '0–9'],
  ['山田', 'Other'],
  ['', 'Other'],
])('sorts %s under %s', (key, letter) => expect(letterOf(key)).toBe(letter));
