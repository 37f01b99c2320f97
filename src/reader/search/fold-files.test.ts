import { expect, it } from 'vitest';
import { foldFiles } from './fold-files.ts';

/** Documents 1 and 2 are files of 0, and 4 is one of 5. */
const recordOf = (document: number) =>
  new Map([
    [1, 0],
    [2, 0],
    [4, 5],
  ]).get(document);

function fold(found: number[], passes?: (document: number) => boolean) {
  const { documents, filesOf, isOnlyByFiles } = foldFiles(found, 6, recordOf, passes);
  return { documents, filesOf, onlyByFiles: documents.filter(isOnlyByFiles) };
}

it('folds files into their records, which have the positions of what was found first', () => {
  expect(fold([3, 2, 0, 4, 1])).toEqual({
    documents: [3, 0, 5],
    filesOf: new Map([
      [0, [2, 1]],
      [5, [4]],
    ]),
    onlyByFiles: [5],
  });
});

it('shows a file as a result of its own if it passes the filters and its record does not', () => {
  const passes = (document: number) => [1, 3, 5, 4].includes(document);
  expect(fold([0, 1, 2, 3, 4], passes)).toEqual({
    documents: [0, 1, 3, 5],
    filesOf: new Map([
      [0, [2]],
      [5, [4]],
    ]),
    onlyByFiles: [5],
  });
});
