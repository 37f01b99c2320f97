import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeSlug, slugOf, termSlug } from './slug.ts';
import { comparisonForm, toPlainText } from './text.ts';

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.constantFrom(
    'Jane Doe',
    'jane doe',
    'JANE DOE',
    'Con',
    'AUX',
    'index',
    'a/b',
    'a.b.',
    'é',
    'e\u0301',
    '山田 花子',
    '..',
    ' ',
    'Nul',
    'Com1',
  ),
);

describe('slugOf', () => {
  it('returns a plain slug if the name can be restored from it', () => {
    expect(slugOf('Jane Doe')).toBe('jane-doe');
    expect(slugOf('University of the Islands')).toBe('university-of-the-islands');
  });

  it('is the same for names that differ in Unicode form or spaces', () => {
    const names = ['Ōta, Kenji', 'Ōta, Kenji'.normalize('NFD'), 'Ōta,\u00a0Kenji', ' Ōta,  Kenji\u200b'];
    expect(new Set(names.map(slugOf)).size).toBe(1);
    expect(slugOf('Jane  Doe')).toBe('jane-doe');
    expect(slugOf('神')).not.toBe(slugOf('袖'));
  });

  it('adds a hash for any other name', () => {
    for (const name of ['jane doe', "Siobhan O'Tide", 'Zoë Àlvarez-Núñez', '山田 花子', 'T. R. Quill, Jr.', '100% Wool', 'Con']) {
      expect(slugOf(name)).toMatch(/--[a-z2-7]{10}$/);
    }
  });

  it('returns a legal file name on FAT32, exFAT, NTFS, HFS+ and ext4', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const slug = slugOf(name);
        expect(slug).toMatch(/^[a-z0-9][a-z0-9-]{0,90}$/);
        expect(slug).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d|index)$/);
      }),
      { numRuns: 2000 },
    );
  });

  it('is deterministic, and differs for different names', () => {
    fc.assert(
      fc.property(anyName, anyName, (a, b) => {
        expect(slugOf(a)).toBe(slugOf(a));
        expect(slugOf(a) === slugOf(b)).toBe(comparisonForm(a) === comparisonForm(b));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('codeSlug and termSlug', () => {
  it('return known codes and numbers unchanged', () => {
    expect(codeSlug('baseball_card')).toBe('baseball_card');
    expect(termSlug({ id: '107', term: 'Work' })).toBe('107');
  });

  it('are the same for names with entities and with characters', () => {
    for (const term of ['Arts &amp; Crafts', 'Arts &#38; Crafts', '<b>Arts</b>&nbsp;& Crafts'])
      expect(termSlug({ id: undefined, term })).toBe(termSlug({ id: undefined, term: 'Arts & Crafts' }));
  });

  it('never collide', () => {
    const id = fc.option(fc.oneof(fc.nat().map(String), fc.webUrl(), fc.string()), { nil: undefined });
    const shown = (name: string) => comparisonForm(toPlainText(name));
    fc.assert(
      fc.property(id, anyName, id, anyName, (idA, termA, idB, termB) => {
        const same = idA === undefined && idB === undefined ? shown(termA) === shown(termB) : idA === idB;
        const slugs = [termSlug({ id: idA, term: termA }), termSlug({ id: idB, term: termB })];
        expect(slugs[0] === slugs[1]).toBe(same);
      }),
      { numRuns: 2000 },
    );
  });

  it('return different slugs for codes that differ only in case', () => {
    expect(codeSlug('Photograph')).not.toBe(codeSlug('photograph'));
    expect(codeSlug('con')).not.toBe('con');
  });
});
