/** The people whom entries name, apart from the other fields: who they are depends on all entries. */
import type { ObjectEntry } from './entries.ts';
import type { NamedPeople } from './people.ts';

type Stored = [creators: NamedPeople['creator'] | null, persons: NamedPeople['person'] | null, narrators: string[]];

/** Returns the people whom an entry names. */
export function peopleOf({ facets: { creator, person }, narrators }: Pick<ObjectEntry, 'facets' | 'narrators'>): NamedPeople {
  return { creator, person, narrators };
}

/** Returns people as JSON; null if there are none. */
export function formatPeople({ creator, person, narrators }: NamedPeople): string | null {
  if (!creator && !person && narrators.length === 0) return null;
  return JSON.stringify([creator ?? null, person ?? null, narrators] satisfies Stored);
}

/** Returns the people in JSON that `formatPeople` returned. */
export function parsePeople(json: string | null | undefined): NamedPeople {
  if (!json) return { creator: undefined, person: undefined, narrators: [] };
  const [creator, person, narrators] = JSON.parse(json) as Stored;
  return { creator: creator ?? undefined, person: person ?? undefined, narrators };
}
