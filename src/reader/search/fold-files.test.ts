import { expect, it } from 'vitest';
import { foldFiles } from './fold-files.ts';

/** Documents 1 and 2 are files of 0, and 4 is one of 5. */
const recordOf = (document: number) =>
  new Map([
    [1, 0],
    [2, 0],
    [4, 5],
  ]).get(document);

it('folds files into their records, which have the positions of what was found first', () => {
  expect(foldFiles([3, 2, 0, 4, 1], recordOf)).toEqual({
    documents: [3, 0, 5],
    filesOf: new Map([
      [0, [2, 1]],
      [5, [4]],
    ]),
    onlyByFiles: new Set([5]),
  });
});

it('shows a file as a result of its own if it passes the filters and its record does not', () => {
  const passes = (document: number) => [1, 3, 5, 4].includes(document);
  expect(foldFiles([0, 1, 2, 3, 4], recordOf, passes)).toEqual({
    documents: [0, 1, 3, 5],
    filesOf: new Map([
      [0, [2]],
      [5, [4]],
    ]),
    onlyByFiles: new Set([5]),
  });
});
