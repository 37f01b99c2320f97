/** The people whom entries name, apart from the other fields: who they are depends on all entries. */
import type { ObjectEntry } from './entries.ts';
import { identifyPeople } from './people.ts';
import type { EarlierEntry } from './read-facts.ts';

type People = [
  creators: ObjectEntry['facets']['creator'] | null,
  persons: ObjectEntry['facets']['person'] | null,
  narrators: string[],
];

/** Returns the people whom an entry names, as JSON; null if it names no person. */
export function peopleIn({ facets: { creator, person }, narrators }: Pick<ObjectEntry, 'facets' | 'narrators'>): string | null {
  if (!creator && !person && narrators.length === 0) return null;
  return JSON.stringify([creator ?? null, person ?? null, narrators] satisfies People);
}

/** Replaces the people whom an entry names, in place, by other ones in the same facets. */
function replacePeople(entry: ObjectEntry, people: string | null): void {
  if (people === null) return;
  const [creators, persons, narrators] = JSON.parse(people) as People;
  if (creators) entry.facets.creator = creators;
  if (persons) entry.facets.person = persons;
  entry.narrators = narrators;
}

/** The people of all entries of a catalogue. */
export interface IdentifiedPeople {
  /** `peopleIn` before people were identified, by ID. */
  named: Map<string, string | null>;
  /** IDs of the entries of the earlier catalogue whose people are others now. */
  changed: Set<string>;
}

/**
 * Identifies the people of entries, in place. Those for which `isMade` returns false are entries of the earlier catalogue. If all name the same
 * people as before, they are the same people.
 */
export function identifyAgain(
  shown: readonly ObjectEntry[],
  isMade: (id: string) => boolean,
  earlier: ReadonlyMap<string, EarlierEntry>,
): IdentifiedPeople {
  const named = new Map(
    shown.map((entry) => [entry.id, isMade(entry.id) ? peopleIn(entry) : (earlier.get(entry.id)?.people ?? null)]),
  );
  const changed = new Set<string>();
  if (areSame(shown, named, earlier)) {
    for (const entry of shown) if (isMade(entry.id)) replacePeople(entry, peopleBefore(earlier, entry.id));
    return { named, changed };
  }
  const before = new Map<ObjectEntry, string | null>();
  for (const entry of shown) {
    const people = named.get(entry.id) ?? null;
    if (people === null || isMade(entry.id)) continue;
    before.set(entry, peopleIn(entry));
    replacePeople(entry, people);
  }
  identifyPeople(shown);
  for (const [entry, people] of before) if (peopleIn(entry) !== people) changed.add(entry.id);
  return { named, changed };
}

function peopleBefore(earlier: ReadonlyMap<string, EarlierEntry>, id: string): string | null {
  const known = earlier.get(id);
  return known ? peopleIn(known.entry) : null;
}

/** Whether the entries that name people are the same as before, in the same order, and name the same. */
function areSame(
  shown: readonly ObjectEntry[],
  named: IdentifiedPeople['named'],
  earlier: ReadonlyMap<string, EarlierEntry>,
): boolean {
  let naming = 0;
  for (const { id, origin } of shown) {
    const people = named.get(id) ?? null;
    const before = earlier.get(id);
    if (people !== (before?.people ?? null)) return false;
    if (people === null) continue;
    naming++;
    // Partial records come after all others.
    if ((before?.entry.origin === 'record') !== (origin === 'record')) return false;
  }
  for (const { people } of earlier.values()) if (people !== null) naming--;
  return naming === 0;
}
