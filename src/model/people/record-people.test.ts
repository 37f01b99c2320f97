import { describe, expect, it } from 'vitest';
import { parseRecord } from '../records.ts';

const read = (raw: Record<string, unknown>) => parseRecord({ id: 'demo-org-1-2', model: 'entity', ...raw });
const personsOf = (persons: unknown) => read({ persons })?.persons.map(({ namepart }) => namepart);
const creatorsOf = (...creators: unknown[]) =>
  read({ creators })?.creators.map(({ namepart, role, oh_id }) => [namepart, role, oh_id]);

describe('people of a record', () => {
  it.each([
    [['Quill, Ada\\nQuill, Bram\\nVane, Leif']],
    [['Quill, Ada\nQuill, Bram\r\nVane, Leif\n']],
    ['Quill, Ada\\nQuill, Bram\\nVane, Leif'],
    ['Quill, Ada; Quill, Bram; Vane, Leif'],
    [[{ namepart: 'Quill, Ada\\nQuill, Bram' }, 'Vane, Leif']],
    [['Quill, Ada<br />Quill, Bram', { name: 'Vane, Leif' }]],
    ['namepart:Quill, Ada|nr_id:1/2;namepart:Quill, Bram;namepart:Vane, Leif|oh_id:3'],
    [['Quill, Ada', 'n/a', 'Quill, Bram', { en: 'Vane, Leif', ja: 'ヴェイン' }, 'PERSON TEXT HERE']],
  ])('has one entry for each name in %j', (persons) => {
    expect(personsOf(persons)).toEqual(['Quill, Ada', 'Quill, Bram', 'Vane, Leif']);
  });

  it('separates two names with “and” between them, if both are names', () => {
    expect(creatorsOf({ namepart: 'Mara Thorn and Leif Vane', role: 'videographer' })).toEqual([
      ['Mara Thorn', 'videographer', undefined],
      ['Leif Vane', 'videographer', undefined],
    ]);
    expect(personsOf(['Mara Thorn and Leif Vane', 'Thorn and Sons', 'Lantern Society and Quay Museum'])).toEqual([
      'Mara Thorn',
      'Leif Vane',
      'Thorn and Sons',
      'Lantern Society and Quay Museum',
    ]);
    expect(creatorsOf({ namepart: 'Quay Light and Salt Wind', role: 'publisher' })).toHaveLength(1);
    expect(creatorsOf({ namepart: 'Black Star and Getty Images', role: 'photographer' })).toHaveLength(1);
  });

  it('does not separate a name with an ID, nor entities', () => {
    expect(creatorsOf({ namepart: 'Mara Thorn and Leif Vane', role: 'narrator', oh_id: 3 })).toHaveLength(1);
    expect(personsOf(['Thorn &amp; Vane'])).toEqual(['Thorn &amp; Vane']);
    expect(personsOf(['Quill, Ada &amp; Vane, Leif', 'O&#39;Hara, Pat; Vane, Leif'])).toEqual([
      'Quill, Ada',
      'Vane, Leif',
      "O'Hara, Pat",
      'Vane, Leif',
    ]);
    expect(personsOf([{ namepart: 'Quill, Ada\\nAda Quill', oh_id: 3 }])).toEqual(['Quill, Ada; Ada Quill']);
  });

  it('has no one whose name is a role', () => {
    expect(
      creatorsOf(
        { namepart: 'photographer', role: 'author' },
        { namepart: 'Interviewer' },
        { namepart: 'Weaver', role: 'author' },
        { namepart: 'photo', role: 'author' },
      ),
    ).toEqual([['Weaver', 'author', undefined]]);
    expect(personsOf(['author', 'Ada Quill'])).toEqual(['Ada Quill']);
  });

  it('has the number of a narrator under each of its names', () => {
    expect(
      creatorsOf(
        { namepart: 'Ada Quill', role: 'narrator', oh_id: 1 },
        { namepart: 'Bram Vane', role: 'narrator', id: 2 },
        { namepart: 'Cleo Moor', role: 'narrator', narrator_id: '3' },
      )?.map(([, , number]) => number),
    ).toEqual([1, 2, 3]);
    for (const role of ['photographer', undefined])
      expect(creatorsOf({ namepart: 'Dora Thorn', role, id: 4 })).toEqual([['Dora Thorn', role, undefined]]);
  });

  it('gives the number on the record to its only narrator', () => {
    const creators = [
      { namepart: 'Ada Quill', role: 'narrator' },
      { namepart: 'Bram Vane', role: 'interviewer' },
    ];
    expect(read({ creators, narrator_id: '9' })?.creators.map(({ oh_id }) => oh_id)).toEqual([9, undefined]);
    const two = [...creators, { namepart: 'Cleo Moor', role: 'narrator' }];
    expect(read({ creators: two, narrator_id: 9 })?.creators.every(({ oh_id }) => oh_id === undefined)).toBe(true);
  });
});
