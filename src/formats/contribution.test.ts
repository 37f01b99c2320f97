import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from '../model/errors.ts';
import { parseContributions } from '../publish/inbox/read-inbox.ts';
import type { ContributionFile } from './contribution.ts';
import { CONTRIBUTION_KINDS, formatContributions, MAX_STORY, readTarget, writeTarget } from './contribution-link.ts';

const words = fc.string({ unit: 'binary', maxLength: 200 });
const fraction = fc.double({ min: 0, max: 1, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0); // JSON has no -0
const hexadecimal = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const name = fc.string({ unit: fc.constantFrom(...'abcñ漢-_~0'), minLength: 1, maxLength: 30 });
const record = fc.record({ title: words, date: words, description: words, credit: words });
const subject = fc.record({
  kind: fc.constantFrom('object' as const, 'person' as const),
  id: words.filter((id) => /\S/.test(id)),
  page: name.map((slug) => `objects/${slug}.html`),
});
const contribution = fc.record({
  id: hexadecimal(32),
  at: fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
  subject,
  record,
  moment: fc.option(fraction, { nil: undefined }),
  kind: fc.constantFrom(...CONTRIBUTION_KINDS),
  text: words.filter((text) => text.trim() !== ''),
  mark: fc.option(
    fc.record({ file: name.map((file) => `media/${file}.webp`), x: fraction, y: fraction, width: fraction, height: fraction }),
    { nil: undefined },
  ),
});
const file: fc.Arbitrary<ContributionFile> = fc.record({
  archive: fc.record({ title: words, url: words, harvestedAt: words }),
  reader: fc.record({ name: words, contact: words, mayPublish: fc.boolean(), mayShowName: fc.boolean() }),
  contributions: fc.array(contribution, { maxLength: 5 }),
});

it('reads what it wrote', () => {
  fc.assert(
    fc.property(file, (written) => {
      expect(parseContributions(formatContributions(written))).toEqual(written);
    }),
  );
});

it('reads the address that it wrote', () => {
  // A browser writes half a character as U+FFFD in an address.
  const wellFormed = (value: object) => JSON.stringify(value) === JSON.stringify(value).replace(/\\ud[89a-f]/gi, '');
  fc.assert(
    fc.property(subject.filter(wellFormed), record.filter(wellFormed), (about, shown) => {
      const opened = readTarget(writeTarget({ subject: about, record: shown, image: 'media/a/b.webp' }));
      expect(opened).toEqual({ subject: about, record: shown, moment: undefined, image: 'media/a/b.webp' });
    }),
  );
});

const VALID = {
  id: '0'.repeat(32),
  at: '2026-11-29T08:00:00.000Z',
  subject: { kind: 'object', id: 'lica-quay-1-1', page: 'objects/lica-quay-1-1.html' },
  record: { title: 'Nets', date: '', description: '', credit: '' },
  kind: 'names',
  text: 'Hugo',
};
const fileOf = (changes: object, top: object = {}) =>
  JSON.stringify({
    format: 'microfiche-contribution',
    version: 1,
    archive: {},
    reader: {},
    contributions: [{ ...VALID, ...changes }],
    ...top,
  });

it('takes only true for consent, and what is left out for empty', () => {
  const { reader, archive } = parseContributions(fileOf({}, { reader: { mayPublish: 'true', mayShowName: 1 } }));
  expect(reader).toEqual({ name: '', contact: '', mayPublish: false, mayShowName: false });
  expect(archive).toEqual({ title: '', url: '', harvestedAt: '' });
});

describe('says in one sentence what is wrong', () => {
  const place = { file: 'media/a.webp', x: 0, y: 0, width: 1, height: 1 };
  it.each([
    ['', 'It is not JSON.'],
    ['[]', 'It is not an object.'],
    ['{"format":"other","version":1}', 'It is not a file of contributions.'],
    ['{"format":"microfiche-contribution","version":2}', 'A later version of Microfiche wrote it. Read it with that one.'],
    [fileOf({}, { contributions: Array(501).fill(VALID) }), '"contributions" is not a list of at most 500.'],
    [fileOf({}, { contributions: [null] }), '"contributions[0]" is not an object.'],
    [fileOf({ id: '../../etc' }), '"contributions[0].id" is not an ID of 32 hexadecimal digits.'],
    [fileOf({ at: '2026-13-45T00:00:00Z' }), '"contributions[0].at" is not a time in UTC.'],
    [fileOf({ kind: 'virus' }), '"contributions[0].kind" is not one of names, date, correction, story.'],
    [fileOf({ text: ' \n' }), '"contributions[0].text" is not a text with words.'],
    [fileOf({ text: 'a'.repeat(MAX_STORY + 1) }), `"contributions[0].text" is not a text of at most ${MAX_STORY} characters.`],
    [fileOf({ moment: -1 }), '"contributions[0].moment" is not a number from 0 to 1000000.'],
    [fileOf({ mark: { ...place, x: 2 } }), '"contributions[0].mark.x" is not a number from 0 to 1.'],
    [fileOf({ mark: { ...place, file: '../a.webp' } }), '"contributions[0].mark.file" is not the path of an image.'],
    [
      fileOf({ subject: { ...VALID.subject, page: 'javascript:alert(1)' } }),
      '"contributions[0].subject.page" is not the path of a page.',
    ],
  ])('%#', (text, problem) => {
    expect(() => parseContributions(text)).toThrow(new UserError(problem));
  });
});

it.each([
  '',
  '#kind=object',
  '#kind=object&id=a&page=https://evil.example/',
  '#kind=object&id=a&page=objects/..%2F..%2Fa.html',
  '#kind=object&id=a&page=objects/a.html&image=https://evil.example/a.webp',
  '#kind=object&id=a&page=objects/a.html&image=/etc/passwd',
  '#kind=object&id=a&page=objects/a.html&image=media/../../a',
  '#kind=object&id=a&page=objects/a.html&t=now',
])('opens no form for %s', (hash) => expect(readTarget(hash)).toBeUndefined());
