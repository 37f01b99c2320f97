import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObjectId } from '../model/ids.ts';
import { codeSlug, slugOf, termSlug } from '../model/text/slug.ts';
import { comparisonForm, toPlainText } from '../model/text/text.ts';
import { foldPath, listPortabilityProblems, objectFileName, pathProblem, sizeInClusters } from './portability.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.constantFrom('CON', 'nul', 'Com1', 'a.', 'a ', '../x', 'x/y', 'É', 'É', 'ß', 'ẞ', 'İ', '', '.'),
);

describe('slugs of any text', () => {
  const kinds = [
    ['slugOf', slugOf, comparisonForm],
    ['codeSlug', codeSlug, comparisonForm],
    ['termSlug', (text: string) => termSlug({ id: text, term: text }), comparisonForm],
    // A name may be HTML, whose tags make no other name.
    [
      'termSlug without an id',
      (text: string) => termSlug({ id: undefined, term: text }),
      (text: string) => comparisonForm(toPlainText(text)),
    ],
  ] as const;

  it.each(kinds)('%s returns legal names, and the same one each time', (_, slug) => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(pathProblem(`browse/contributor/${slug(text)}/1000.html`)).toBeUndefined();
        expect(slug(text)).toBe(slug(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(kinds)('%s returns names that differ in more than case and Unicode form', (_, slug, formOf) => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        if (formOf(a) !== formOf(b)) expect(foldPath(slug(a))).not.toBe(foldPath(slug(b)));
      }),
      { numRuns: 2000 },
    );
  });
});

const anyId = fc
  .array(fc.stringMatching(/^[A-Za-z0-9_]{1,30}$/), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join('-'))
  .filter(isObjectId);

describe('fileName', () => {
  it('returns a short lower-case ID unchanged', () => {
    expect(objectFileName('lica-quay-1-2-mezzanine-0a1b2c3d4e')).toBe('lica-quay-1-2-mezzanine-0a1b2c3d4e');
  });

  it('returns legal names that differ in more than case and fit into the longest paths', () => {
    fc.assert(
      fc.property(anyId, anyId, (a, b) => {
        expect(pathProblem(`ja/media/${objectFileName(a)}/${objectFileName(a)}.transcript.webp`)).toBeUndefined();
        expect(pathProblem(`objects/${objectFileName(a)}/contents/1000.html`)).toBeUndefined();
        if (a !== b) expect(foldPath(objectFileName(a))).not.toBe(foldPath(objectFileName(b)));
        if (a !== a.toUpperCase()) expect(foldPath(objectFileName(a))).not.toBe(foldPath(objectFileName(a.toUpperCase())));
      }),
    );
  });
});

describe('pathProblem and unportable', () => {
  it.each([
    ['a/b.html', undefined],
    ['a<b.html', 'forbids'],
    ['a\\b.html', 'forbids'],
    ['a\tb.html', 'forbids'],
    ['a./b.html', 'dot or a space'],
    ['a /b.html', 'dot or a space'],
    ['x/CON', 'device'],
    ['x/con.html', 'device'],
    ['x/Lpt9.tar.gz', 'device'],
    ['x/console.html', undefined],
    ['x//b', 'without a name'],
    ['x/../b', 'without a name'],
    ['x'.repeat(201), 'longer than 200'],
    ['山'.repeat(90), 'longer than 255 bytes'],
  ])('check %j', (path, problem) => {
    if (problem === undefined) expect(pathProblem(path)).toBeUndefined();
    else expect(pathProblem(path)).toContain(problem);
  });

  it('report paths that collide and files that are too large', () => {
    const problems = listPortabilityProblems([
      ['a/É.html', 1],
      ['a/É.html', 1],
      ['a/X.html', 1],
      ['a/x.html', 1],
      ['a/film.mp4', 2 ** 32],
    ]);
    expect(problems.map(({ path }) => path)).toEqual(['a/É.html', 'a/x.html', 'a/film.mp4']);
  });
});

it('counts complete clusters for each file and directory', () => {
  expect(sizeInClusters([], 1000)).toBe(0);
  expect(
    sizeInClusters(
      [
        ['a/b', 1],
        ['a/c', 1001],
        ['d', 0],
      ],
      1000,
    ),
  ).toBe(1000 + 2000 + 0 + 2 * 1000);
});
