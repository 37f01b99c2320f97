import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareIds, isFileRole, isObjectId, listKindsForId, looksLikeRecordId, parseId } from './ids.ts';

describe('parseId', () => {
  it.each([
    ['lica', 'repository', undefined, undefined],
    ['lica-quay', 'organization', 'lica', undefined],
    ['lica-quay-1', 'collection', 'lica-quay', 'lica-quay-1'],
    ['lica-quay-1-2', 'entity', 'lica-quay-1', 'lica-quay-1'],
    ['lica-quay-1-2-3', 'segment', 'lica-quay-1-2', 'lica-quay-1'],
    ['lica-quay-1-2-mezzanine-0a1b2c3d4e', 'file', 'lica-quay-1-2', 'lica-quay-1'],
    ['lica-quay-1-2-3-transcript-0a1b2c3d4e', 'file', 'lica-quay-1-2-3', 'lica-quay-1'],
  ] as const)('parses %s as a %s', (id, model, parent, collection) => {
    expect(parseId(id)).toMatchObject({ id, model, parent, collection });
  });

  it('parses role and SHA-1 of a file ID', () => {
    expect(parseId('lica-quay-1-2-mezzanine-0a1b2c3d4e')).toMatchObject({ role: 'mezzanine', sha1Prefix: '0a1b2c3d4e' });
  });

  it('returns parents up to the repository', () => {
    const numbers = fc.array(fc.nat({ max: 5000 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(numbers, (parts) => {
        let id: string | undefined = `demo-org-${parts.join('-')}`;
        let steps = 0;
        while (id !== undefined && steps < 20) {
          id = parseId(id).parent;
          steps++;
        }
        expect(steps).toBe(parts.length + 2);
      }),
    );
  });
});

describe('isObjectId', () => {
  it.each(['', '-', 'a--b', '../etc', 'a/b', 'a b', 'con', 'AUX', 'a-1-', 'ä-1', `a${'1'.repeat(200)}`, 3, null])(
    'rejects %j',
    (value) => {
      expect(isObjectId(value)).toBe(false);
    },
  );

  it('accepts nothing that could leave a directory', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        if (isObjectId(value)) expect(value).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });
});

describe('looksLikeRecordId', () => {
  it('accepts IDs of entities, segments and files, not hyphenated words', () => {
    expect(['lica-quay-1-2', 'lica-quay-1-2-3', 'lica-quay-1-2-master-00aa11bb22'].every(looksLikeRecordId)).toBe(true);
    expect(['well-known-fact', 'lica-quay-1', 'north-by-north-west', '2020-01-02-03'].some(looksLikeRecordId)).toBe(false);
  });
});

describe('compareIds', () => {
  it('compares numbers by value', () => {
    const ids = ['a-b-10', 'a-b-2', 'a-b', 'a-b-2-10', 'a-b-2-9', 'a-b-1'];
    expect(ids.sort(compareIds)).toEqual(['a-b', 'a-b-1', 'a-b-2', 'a-b-2-9', 'a-b-2-10', 'a-b-10']);
  });

  it('is a total order', () => {
    const id = fc
      .array(fc.oneof(fc.nat({ max: 30 }).map(String), fc.constantFrom('a', 'b', 'master')), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('-'));
    fc.assert(
      fc.property(id, id, id, (a, b, c) => {
        expect(Math.sign(compareIds(a, b))).toBe(-Math.sign(compareIds(b, a)) + 0);
        if (compareIds(a, b) <= 0 && compareIds(b, c) <= 0) expect(compareIds(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('file roles', () => {
  it.each(['lica-quay-1-2-mezzanine', 'lica-quay-1-2-3-transcript', 'lica-quay-1-master', 'lica-quay-1-2-gloss'])(
    'are recognized by their form: %s',
    (id) => {
      expect([isFileRole(id), listKindsForId(id)]).toEqual([true, []]);
    },
  );

  it.each([
    'lica-quay-1-2',
    'lica-quay-1-2-mezzanine-0a1b2c3d4e',
    'lica-mezzanine',
    'lica-quay-mezzanine',
    'lica-quay-1-2-other',
  ])('do not include %s', (id) => {
    expect(isFileRole(id)).toBe(false);
  });

  it('belong to an item', () => {
    expect(parseId('lica-quay-1-2-mezzanine')).toEqual({
      id: 'lica-quay-1-2-mezzanine',
      model: 'file',
      parent: 'lica-quay-1-2',
      collection: 'lica-quay-1',
      role: 'mezzanine',
    });
  });
});

it('listsByShape returns lists by the form of the ID', () => {
  expect(['lica', 'lica-quay', 'lica-quay-1', 'lica-quay-1-2', 'lica-quay-1-2-3'].map((id) => listKindsForId(id).length)).toEqual(
    [1, 1, 1, 2, 2],
  );
  expect(listKindsForId('lica-quay-1-2-master-00aa11bb22')).toEqual([]);
});
