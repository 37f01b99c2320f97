import { expect, it } from 'vitest';
import { readDeclaration } from '../model/media/fixity.ts';
import type { MediaKind } from '../model/media/media-kinds.ts';
import { sniffType } from '../model/media/sniff.ts';
import { typeProblem } from './store-file.ts';

const problem = (kind: MediaKind, detected: string | undefined, declared?: string) =>
  typeProblem(kind, detected === undefined ? undefined : { mimetype: detected, extension: 'x' }, [
    readDeclaration('a', { mimetype: declared }),
  ]);

it.each([
  ['image', 'image/tiff', undefined, undefined],
  ['thumb', 'text/html', undefined, 'the response is a web page, not an image'],
  ['image', undefined, undefined, 'the response is a file of unknown type, not an image'],
  ['audio', 'video/ogg', undefined, undefined],
  ['video', 'audio/mpeg', undefined, 'the response is audio/mpeg, not a recording'],
  ['transcript', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', undefined, undefined],
  ['transcript', 'text/html', undefined, undefined],
  ['transcript', 'image/png', undefined, 'the response is image/png, not a transcript'],
  ['original', undefined, undefined, undefined],
  ['original', undefined, 'application/x-unheard-of', undefined],
  ['original', 'text/html', undefined, 'the response is a web page, not an original'],
  ['original', 'text/html', 'text/html', undefined],
  ['original', 'text/html', 'image/tiff', 'the response is a web page, not image/tiff'],
  ['original', 'image/jpeg', 'image/tiff', undefined],
  ['original', 'application/pdf', 'image/tiff', 'the response is application/pdf, not image/tiff'],
  ['original', 'video/mp4', 'audio/mp4', undefined],
] as const)('judges a file of the kind %s, detected as %s and declared as %s: %s', (kind, detected, declared, expected) =>
  expect(problem(kind, detected, declared)).toBe(expected),
);

it.each([
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  '<Error><Code>NoSuchKey</Code></Error>',
  '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault/></s:Body></s:Envelope>',
  '<?xml version="1.0"?><Fault><Reason>Quota</Reason></Fault>',
])('accepts no error of a service as a transcript: %s', async (xml) => {
  expect(typeProblem('transcript', await sniffType(Buffer.from(xml)), [])).toBe(
    'the response is an error message, not a transcript',
  );
  expect(typeProblem('transcript', await sniffType(Buffer.from('<?xml version="1.0"?><Trans/>')), [])).toBeUndefined();
});
