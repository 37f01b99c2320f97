/** The people whom entries name, apart from the other fields: who they are depends on all entries. */
import type { ObjectEntry } from '../entries.ts';
import type { NamedPeople } from './people.ts';

type Stored = [
  creators: NamedPeople['creator'] | null,
  persons: NamedPeople['person'] | null,
  narrators: string[],
  year: number | null,
];

/** Returns the people whom an entry names. */
export function peopleOf({ facets: { creator, person, time = [] }, narrators }: Pick<ObjectEntry, 'facets' | 'narrators'>) {
  const [year, ...others] = time.filter(({ slug }) => /^\d+$/.test(slug));
  return {
    creator,
    person,
    narrators,
    year: narrators.length > 0 && year && others.length === 0 ? Number(year.slug) : undefined,
  };
}

/** Returns people as JSON; null if there are none. */
export function formatPeople({ creator, person, narrators, year }: NamedPeople): string | null {
  if (!creator && !person && narrators.length === 0) return null;
  return JSON.stringify([creator ?? null, person ?? null, narrators, year ?? null] satisfies Stored);
}

/** Returns the people in JSON that `formatPeople` returned. */
export function parsePeople(json: string | null | undefined): NamedPeople {
  if (!json) return { creator: undefined, person: undefined, narrators: [], year: undefined };
  const [creator, person, narrators, year] = JSON.parse(json) as Stored;
  return { creator: creator ?? undefined, person: person ?? undefined, narrators, year: year ?? undefined };
}
