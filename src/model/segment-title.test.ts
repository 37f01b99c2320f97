import { expect, it } from 'vitest';
import { isNumberOf, withoutName } from './segment-title.ts';

it.each([
  ['Ada Quill Interview Segment 2', 'Ada Quill Interview', 'Segment 2'],
  ['Ada Quill Interview Segment 2: Nets', 'Ada Quill Interview', 'Segment 2: Nets'],
  ['Ada Quill Segment 2', 'Ada Quill Interview I', 'Segment 2'],
  ['Nets in winter', 'Ada Quill Interview', 'Nets in winter'],
  ['The winter of March 1912', 'Ada Quill Interview', 'The winter of March 1912'],
  ['Ada Quill Interview Segment 2', undefined, 'Ada Quill Interview Segment 2'],
  ['Segment 2', 'Ada Quill Interview', 'Segment 2'],
])('%s, of %s, is called %s', (title, name, called) => {
  expect(withoutName(title, name)).toBe(called);
});

it('knows which titles only count a segment', () => {
  expect(isNumberOf('Ada Quill Segment 2', 'Ada Quill Interview I')).toBe(true);
  expect(isNumberOf('Ada Quill Interview Segment 2: Nets', 'Ada Quill Interview')).toBe(false);
  expect(isNumberOf('Ada Quill Interview Segment 2', undefined)).toBe(false);
});

it('takes no time for a title of a million letters', () => {
  const title = 'a'.repeat(1_000_000);
  expect(withoutName(title, 'Ada Quill Interview')).toBe(title);
});
