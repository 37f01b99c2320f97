import fc from 'fast-check';
import { expect, it } from 'vitest';
import { slugOf } from '../../model/text/slug.ts';
import type { Term } from '../catalogue-schema.ts';
import type { AuthorEntry } from '../entries.ts';
import { collectPeople } from './person-entries.ts';

const author = (name: string) => ({ name, title: name, slug: slugOf(name) }) as AuthorEntry;
const term = (facet: 'creator' | 'person', label: string, more: Partial<Term> = {}): Term => ({
  facet,
  slug: slugOf(label),
  label,
  count: 1,
  people: [],
  names: [],
  ...more,
});

function peopleOf(terms: Term[], authors: string[], countBoth = () => 0) {
  const of = (facet: 'creator' | 'person') => terms.filter((each) => each.facet === facet);
  return collectPeople({ creator: of('creator'), person: of('person') }, authors.map(author), countBoth);
}

it('joins the creator, the person in records and the author of one name', () => {
  const people = peopleOf([term('creator', 'Leif Vane', { count: 3 }), term('person', 'Leif Vane', { count: 2 })], ['Leif Vane']);
  expect([...people.values()]).toEqual([
    { slug: 'leif-vane', label: 'Leif Vane', authors: ['leif-vane'], created: 3, mentioned: 2, records: 5 },
  ]);
});

it('counts a record once that has someone both as a creator and in its text', () => {
  const terms = [
    term('creator', 'Leif Vane', { count: 3 }),
    term('person', 'Leif Vane', { count: 2 }),
    term('person', 'Ada Quill'),
  ];
  expect([...peopleOf(terms, [], () => 2).values()].map(({ records }) => records)).toEqual([3, 1]);
});

it('joins an author whose name is inverted in records', () => {
  const people = peopleOf([term('person', 'Vane, Leif')], ['Leif Vane', 'Ada Quill']);
  expect([...people].map(([slug, { authors }]) => [slug, authors])).toEqual([
    [slugOf('Vane, Leif'), ['leif-vane']],
    ['ada-quill', ['ada-quill']],
  ]);
});

it('joins an author with another form of a name', () => {
  const owner = term('creator', 'Leif Olaf Vane');
  const form = term('creator', 'Leif Vane', { count: 0, people: [owner.slug] });
  expect(peopleOf([owner, form], ['Leif Vane']).get(owner.slug)?.authors).toEqual(['leif-vane']);
});

it('does not decide who of two people an author is', () => {
  const people = peopleOf(
    [
      term('creator', 'Leif Vane', { slug: 'leif-vane--1', sharesName: true }),
      term('creator', 'Leif Vane', { slug: 'leif-vane--2', sharesName: true }),
    ],
    ['Leif Vane'],
  );
  expect(people.get('leif-vane')).toMatchObject({ authors: ['leif-vane'], created: 0 });
  expect(people.size).toBe(3);
});

it('has no page for what is not a name', () => {
  expect(peopleOf([term('creator', 'unknown'), term('person', 'Photographer unknown')], []).size).toBe(0);
});

const name = fc.constantFrom('Leif Vane', 'Vane, Leif', 'Ada Quill', 'Quill, Ada', 'Lantern Society', '太田 次郎', 'unknown');

it('has each author and each name that has records exactly once', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.constantFrom('creator' as const, 'person' as const), name), { selector: String }),
      fc.uniqueArray(name),
      (named, authors) => {
        const terms = named.map(([facet, label]) => term(facet, label));
        const people = peopleOf(terms, authors);
        expect([...people.values()].flatMap((person) => person.authors).sort()).toEqual(authors.map(slugOf).sort());
        for (const { slug, label, facet } of terms) {
          const person = people.get(slug);
          if (label === 'unknown') expect(person?.[facet === 'creator' ? 'created' : 'mentioned'] ?? 0).toBe(0);
          else expect(person?.[facet === 'creator' ? 'created' : 'mentioned']).toBe(1);
        }
      },
    ),
  );
});
