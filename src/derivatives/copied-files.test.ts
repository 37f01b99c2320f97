import { expect, it } from 'vitest';
import { listCopiedFiles } from './copied-files.ts';
import type { ShownFile } from './shown-files.ts';

const shown = (url: string, kind: string, mimetype: string, path = url) =>
  ({
    url,
    kind,
    owner: 'demo-org-1-1',
    path: `media/demo-org-1-1.${path}.xml`,
    file: `/snapshot/${path}.xml`,
    sha256: path.repeat(64),
    size: 1,
    mimetype,
    extension: 'xml',
    verified: null,
    metadata: [],
  }) as unknown as ShownFile;
const isOffered = (...files: ShownFile[]) =>
  Object.values(listCopiedFiles(files, new Map()).copiedFiles).map(({ path, isDownloadable }) => [
    path.endsWith('.xml.txt'),
    isDownloadable,
  ]);

it.each([
  ['a transcript in XML of a kind that is not read', [shown('a', 'transcript', 'application/x-page+xml')]],
  ['an original in XML that is read', [shown('a', 'original', 'application/x-ohms+xml')]],
  [
    'a transcript that is also an original',
    [shown('a', 'original', 'image/x+xml'), shown('b', 'transcript', 'image/x+xml', 'a')],
  ],
])('offers %s as text, in which nothing can be run', (_, files) =>
  expect(isOffered(...files)).toEqual(files.map(() => [true, true])),
);

it('does not offer another file in XML, in which scripts can be', () =>
  expect(isOffered(shown('a', 'original', 'image/svg+xml'))).toEqual([[false, false]]));
