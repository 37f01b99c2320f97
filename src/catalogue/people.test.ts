import { expect, it } from 'vitest';
import { parseRecord } from '../model/records.ts';
import type { ObjectEntry } from './entries.ts';
import { facetValues } from './facets.ts';
import { identifyPeople } from './people.ts';
import { createRelations } from './relations.ts';

type Named = { namepart: string; oh_id?: number; nr_id?: string; role?: string };

/** Returns the catalogue of records with these creators, and persons. */
function catalogue(...records: Array<{ creators?: Named[]; persons?: Named[] }>) {
  const entries = records.map((raw, i) => {
    const record = parseRecord({ id: `demo-org-1-${i + 1}`, model: 'entity', ...raw });
    if (!record) throw new Error('not a record');
    const facets = { creator: facetValues('creator', record), person: facetValues('person', record) };
    const narrators = record.creators.map(({ oh_id, namepart }) =>
      oh_id === undefined ? namepart.toLowerCase().replaceAll(' ', '-') : `oh ${oh_id}`,
    );
    return { id: record.id, model: 'entity', sort: 0, ancestors: [], narrators, facets } as unknown as ObjectEntry;
  });
  identifyPeople(entries);
  const relations = createRelations({ objects: entries, authors: [], articles: [] });
  const term = (slug: string, facet: 'creator' | 'person' = 'creator') => relations.term(facet, slug);
  return { entries, relations, term, slugs: relations.terms('creator').map(({ slug, objects }) => [slug, objects.length]) };
}

it('keeps the address of a person, with and without a number', () => {
  const { slugs, entries } = catalogue(
    { creators: [{ namepart: 'Leif Vane', oh_id: 3 }] },
    { creators: [{ namepart: 'Leif Vane' }] },
    { creators: [{ namepart: 'Leif Vane', oh_id: 3 }, { namepart: 'Leif Vane' }] },
  );
  expect(slugs).toEqual([['leif-vane', 3]]);
  expect(new Set(entries.map(({ narrators }) => narrators.join()))).toEqual(new Set(['leif-vane']));
});

it('gives two people of one name a page each, which the page of the name lists', () => {
  const { relations, term } = catalogue(
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
  expect(page?.objects.map(({ id }) => id)).toEqual(['demo-org-1-3']);
  expect(page?.people).toHaveLength(2);
  for (const slug of page?.people ?? []) {
    expect(slug).toMatch(/^leif-vane--[a-z0-9]+$/);
    expect(relations.term('creator', slug)).toMatchObject({ label: 'Leif Vane', names: ['leif-vane'], sharesName: true });
    expect(relations.term('creator', slug)?.objects).toHaveLength(2);
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
  expect(term('leif-olaf-vane')).toMatchObject({ objects: [], people: ['leif-vane'] });
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
