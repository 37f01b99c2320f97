import { expect, it } from 'vitest';
import { createCatalogueFile } from '../../../tests/support/catalogue-file.ts';
import { parseRecord } from '../../model/records.ts';
import type { ObjectEntry } from '../entries.ts';
import { facetValues } from '../lists/facets.ts';
import { openRelations } from '../lists/relations.ts';
import { openRecords } from '../records.ts';
import { narratorKeys } from './people.ts';

type Named = { namepart: string; oh_id?: number; nr_id?: string; role?: string };

/** Returns the catalogue of records with these creators, and persons. */
function catalogue(...records: Array<{ creators?: Named[]; persons?: Named[]; creation?: string }>) {
  const objects = records.map((raw, i) => {
    const record = parseRecord({ id: `demo-org-1-${i + 1}`, model: 'entity', ...raw });
    if (!record) throw new Error('not a record');
    const facets = {
      creator: facetValues('creator', record),
      person: facetValues('person', record),
      time: facetValues('time', record),
    };
    const entry = { id: record.id, model: 'entity', sort: 0, ancestors: [], narrators: narratorKeys(record), facets };
    return entry as unknown as ObjectEntry;
  });
  const guide = { authors: [], articles: [] };
  const db = createCatalogueFile({ objects, ...guide });
  const [entries, relations] = [[...openRecords(db)], openRelations(db, guide)];
  const term = (slug: string, facet: 'creator' | 'person' = 'creator') => relations.term(facet, slug);
  const recordsOf = (slug: string) => [...relations.recordsWith('creator', slug)];
  return { entries, relations, term, recordsOf, slugs: relations.terms('creator').map(({ slug, count }) => [slug, count]) };
}

it('keeps the address of a person, with and without a number', () => {
  const { slugs, entries } = catalogue(
    { creators: [{ namepart: 'Leif Vane', oh_id: 3, role: 'narrator' }] },
    { creators: [{ namepart: 'Leif Vane', role: 'Interviewee' }] },
    {
      creators: [
        { namepart: 'Leif Vane', oh_id: 3, role: 'entrevistado' },
        { namepart: 'Leif Vane', role: 'narrator' },
      ],
    },
  );
  expect(slugs).toEqual([['leif-vane', 3]]);
  expect(new Set(entries.map(({ narrators }) => narrators.join()))).toEqual(new Set(['leif-vane']));
});

it('knows namesakes by the years of their interviews, unless several have the same', () => {
  const interview = (oh_id: number, creation: string) => ({
    creators: [{ namepart: 'Leif Vane', oh_id, role: 'narrator' }],
    creation,
  });
  const years = (...records: Parameters<typeof catalogue>) =>
    catalogue(...records)
      .relations.people()
      .map(({ ids, interviewed }) => [ids?.oh, interviewed]);
  const mention = { persons: [{ namepart: 'Leif Vane', oh_id: 8 }], creation: '1942' };
  expect(years(interview(3, 'June 2, 2012'), interview(3, '2010'), interview(8, '2011'), mention)).toEqual(
    expect.arrayContaining([
      [3, [2010, 2012]],
      [8, [2011]],
    ]),
  );
  expect(years(interview(3, '2012'), interview(8, '2012'))).toEqual(
    expect.arrayContaining([
      [3, undefined],
      [8, undefined],
    ]),
  );
  expect(years(interview(3, '2012'))).toEqual([[3, undefined]]);
});

it('gives two people of one name a page each, which the page of the name lists', () => {
  const { relations, term, recordsOf } = catalogue(
    { creators: [{ namepart: 'Leif Vane', oh_id: 3 }] },
    { creators: [{ namepart: 'Leif Vane', oh_id: 8 }] },
    { creators: [{ namepart: 'Leif Vane' }] },
    {
      creators: [
        { namepart: 'Leif Vane', oh_id: 3 },
        { namepart: 'Leif Vane', oh_id: 8 },
      ],
    },
  );
  const page = term('leif-vane');
  expect(recordsOf('leif-vane').map(({ id }) => id)).toEqual(['demo-org-1-3']);
  expect(page?.people).toHaveLength(2);
  for (const slug of page?.people ?? []) {
    expect(slug).toMatch(/^leif-vane--[a-z0-9]+$/);
    expect(relations.term('creator', slug)).toMatchObject({ label: 'Leif Vane', names: ['leif-vane'], sharesName: true });
    expect(relations.term('creator', slug)?.count).toBe(2);
  }
});

it('keeps the slug of a person when other records change', () => {
  const slugOf3 = (...more: Named[]) => {
    const { entries } = catalogue(
      { creators: [{ namepart: 'Leif Vane', oh_id: 3 }] },
      ...more.map((creator) => ({ creators: [creator] })),
    );
    return entries[0]?.facets.creator?.[0]?.slug;
  };
  const both = slugOf3({ namepart: 'Leif Vane', oh_id: 8 });
  expect(slugOf3({ namepart: 'Leif Vane', oh_id: 8 }, { namepart: 'Leif Vane', oh_id: 9 }, { namepart: 'Leif Vane' })).toBe(both);
  expect(slugOf3()).toBe('leif-vane');
});

it('joins forms of the name of one person; each form keeps its address', () => {
  const { slugs, term } = catalogue(
    { creators: [{ namepart: 'Leif Vane', oh_id: 3 }] },
    { creators: [{ namepart: 'Leif Vane', oh_id: 3 }] },
    { creators: [{ namepart: 'Leif Olaf Vane', oh_id: 3 }] },
    { creators: [{ namepart: 'Leif Olaf Vane' }] },
  );
  expect(slugs.filter(([, count]) => count !== 0)).toEqual([['leif-vane', 4]]);
  expect(term('leif-olaf-vane')).toMatchObject({ count: 0, people: ['leif-vane'] });
});

it('does not join names without a common word, because the ID may be wrong', () => {
  const { slugs } = catalogue({
    creators: [
      { namepart: 'Leif Vane', oh_id: 3 },
      { namepart: 'Ada Quill', oh_id: 3 },
    ],
  });
  expect(slugs).toEqual([
    ['ada-quill', 1],
    ['leif-vane', 1],
  ]);
});

it('joins the forms of one ID that are in different scripts', () => {
  const forms = [
    { namepart: 'Ōta Jirō', oh_id: 3 },
    { namepart: '太田次郎', oh_id: 3 },
    { namepart: 'オオタ ジロウ', oh_id: 3 },
  ];
  const { slugs } = catalogue(...forms.map((creator) => ({ creators: [creator] })));
  expect(slugs.map(([, count]) => count).sort()).toEqual([0, 0, 3]);
  // Which of two people is 太田次郎 is not known.
  const three = catalogue(
    ...[...forms.slice(0, 2), { namepart: 'Ada Quill', oh_id: 3 }].map((creator) => ({ creators: [creator] })),
  );
  expect(three.slugs.map(([, count]) => count)).toEqual([1, 1, 1]);
});

it('joins a name without an ID in any order, if one person has it', () => {
  const { slugs, term, entries } = catalogue(
    { creators: [{ namepart: 'Vane, Leif', oh_id: 3, role: 'narrator' }] },
    { creators: [{ namepart: 'Leif Vane', role: 'narrator' }] },
    { creators: [{ namepart: 'Leif Vane, 1920-1985' }] },
  );
  const person = slugs.find(([, count]) => count === 3)?.[0];
  expect(person).toMatch(/^vane-leif--/);
  expect(term('leif-vane')).toMatchObject({ count: 0, people: [person] });
  expect(entries.slice(0, 2).map(({ narrators }) => narrators)).toEqual([[person], [person]]);
  const ambiguous = catalogue(
    { creators: [{ namepart: 'Vane, Leif', oh_id: 3 }] },
    { creators: [{ namepart: 'Leif Vane', oh_id: 8 }] },
    { creators: [{ namepart: 'Leif Vane' }] },
  );
  expect(ambiguous.recordsOf('leif-vane').map(({ id }) => id)).toEqual(['demo-org-1-3']);
});

it('does not list the interviews of someone else, who has the same wrong ID, or is unknown too', () => {
  const { relations, entries } = catalogue(
    { creators: [{ namepart: 'Leif Vane', oh_id: 3, role: 'narrator' }] },
    { creators: [{ namepart: 'Ada Quill', oh_id: 3, role: 'narrator' }] },
    { creators: [{ namepart: 'Vane, Leif', oh_id: 3, role: 'narrator' }] },
    { creators: [{ namepart: 'Unknown', role: 'narrator' }] },
    { creators: [{ namepart: 'Unknown', role: 'narrator' }] },
    { creators: [{ namepart: 'Leif Vane', oh_id: 3, role: 'photographer' }] },
  );
  expect(entries.map((entry) => relations.otherInterviews(entry, 10).map(({ id }) => id))).toEqual([
    ['demo-org-1-3'],
    [],
    ['demo-org-1-1'],
    [],
    [],
    [],
  ]);
});

it('joins a narrator’s number and the ID of a name record of one name', () => {
  const { entries } = catalogue(
    { creators: [{ namepart: 'Leif Vane', oh_id: 3 }] },
    { persons: [{ namepart: 'Leif Vane', nr_id: 'nr-1' }] },
    { persons: [{ namepart: 'Leif Vane', nr_id: 'nr-1', oh_id: 3 }] },
  );
  expect(entries.flatMap(({ facets }) => [...(facets.creator ?? []), ...(facets.person ?? [])].map(({ slug }) => slug))).toEqual(
    Array(3).fill('leif-vane'),
  );
});

it('distinguishes people of one name by name records, in both lists', () => {
  const { entries, term } = catalogue(
    { creators: [{ namepart: 'Leif Vane', oh_id: 3, nr_id: 'nr-1' }], persons: [{ namepart: 'Leif Vane', nr_id: 'nr-2' }] },
    { persons: [{ namepart: 'Leif Vane', nr_id: 'nr-1' }] },
  );
  const [first, second] = entries.map(({ facets }) => [facets.creator?.[0]?.slug, facets.person?.[0]?.slug]);
  expect(first?.[0]).toBe(second?.[1]);
  expect(first?.[0]).not.toBe(first?.[1]);
  expect(term('leif-vane', 'person')?.people).toHaveLength(2);
});
