import { expect, it } from 'vitest';
import { readDeclaration } from '../model/fixity.ts';
import type { MediaKind } from '../model/media.ts';
import { typeProblem } from './type-problem.ts';

const problem = (kind: MediaKind, is: string | undefined, said?: string) =>
  typeProblem(kind, is === undefined ? undefined : { mimetype: is, extension: 'x' }, [readDeclaration('a', { mimetype: said })]);

it.each([
  ['image', 'image/tiff', undefined, undefined],
  ['thumb', 'text/html', undefined, 'the answer is a web page, not a picture'],
  ['image', undefined, undefined, 'the answer is something unknown, not a picture'],
  ['audio', 'video/ogg', undefined, undefined],
  ['video', 'audio/mpeg', undefined, 'the answer is audio/mpeg, not a recording'],
  ['transcript', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', undefined, undefined],
  ['transcript', 'text/html', undefined, undefined],
  ['transcript', 'image/png', undefined, 'the answer is image/png, not a transcript'],
  ['original', undefined, undefined, undefined],
  ['original', undefined, 'application/x-unheard-of', undefined],
  ['original', 'text/html', undefined, 'the answer is a web page, not an original'],
  ['original', 'text/html', 'text/html', undefined],
  ['original', 'text/html', 'image/tiff', 'the answer is a web page, not image/tiff'],
  ['original', 'image/jpeg', 'image/tiff', undefined],
  ['original', 'application/pdf', 'image/tiff', 'the answer is application/pdf, not image/tiff'],
  ['original', 'video/mp4', 'audio/mp4', undefined],
] as const)('%s that is %s, said to be %s: %s', (kind, is, said, line) => expect(problem(kind, is, said)).toBe(line));
