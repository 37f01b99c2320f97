import { expect, it } from 'vitest';
import { isScript, LETTERS, letterOf } from './letters.ts';

it.each([
  ['ashlock', 'A'],
  ['Àlvarez', 'A'],
  ['“quill”', 'Q'],
  ['100wool', '0–9'],
  ['山田', 'Hani'],
  ['𠮷田', 'Hani'],
  ['やまだ', 'Hrkt'],
  ['ヤマダ', 'Hrkt'],
  ['김', 'Hang'],
  ['Чехов', 'Cyrl'],
  ['ßen', 'S'],
  ['ᚠ', 'Other'],
  ['—', 'Other'],
  ['', 'Other'],
])('sorts %s under %s', (key, letter) => expect(letterOf(key)).toBe(letter));

it('knows which headings are those of scripts', () => {
  expect(LETTERS.filter(isScript)).toEqual(['Grek', 'Cyrl', 'Hebr', 'Arab', 'Deva', 'Thai', 'Hang', 'Hrkt', 'Hani']);
});
