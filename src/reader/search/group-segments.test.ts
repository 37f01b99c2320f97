import { expect, it } from 'vitest';
import { groupSegments } from './fold-files.ts';

/** 1, 2 and 3 are segments of 0; 5 is the only one of 4. */
const interviewOf = (document: number) =>
  new Map([
    [1, 0],
    [2, 0],
    [3, 0],
    [5, 4],
  ]).get(document);

it.each([
  [
    'several segments are one result, where the first of them was',
    [6, 2, 5, 1],
    [
      [6, []],
      [0, [2, 1]],
      [5, []],
    ],
  ],
  ['so is an interview that was found itself', [1, 0, 3], [[0, [1, 3]]]],
  [
    'one segment is a result of its own',
    [4, 5, 0],
    [
      [4, []],
      [5, []],
      [0, []],
    ],
  ],
])('%s', (_, documents, expected) => {
  const grouped = groupSegments(documents, 7, interviewOf);
  expect(grouped.documents.map((document) => [document, grouped.segmentsOf.get(document) ?? []])).toEqual(expected);
});
