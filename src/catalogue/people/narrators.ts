/** The narrators of an archive: what the API publishes of them, and who may be shown. */
import { entryIdentity } from '../../model/lists.ts';
import type { Narrator } from '../../model/people/narrator.ts';
import { narratorNumbers } from '../../model/people/record-people.ts';
import { parseRecordLinks } from '../../model/records.ts';
import { narratorPath } from '../../model/resources.ts';
import { isObject } from '../../model/values.ts';
import { readAllNarrators, readListedNarrators } from '../../snapshot/narrators.ts';
import { parseBody, readBodies, readPayload } from '../../snapshot/read.ts';
import type { Store } from '../../snapshot/store.ts';

/** A narrator who may be shown. */
export interface NarratorEntry extends Narrator {
  /** Set if the narrator has a page even if no shown record has the number: upstream lists it, and no private record has it. */
  isFree?: true;
}

/** Reads the narrators who may be shown, sorted by number. `withheld` are the IDs of private records. */
export function readNarrators(store: Store, withheld: readonly string[]): NarratorEntry[] {
  const listed = readListedNarrators(store);
  const narrators = readAllNarrators(store, listed);
  if (narrators.size === 0) return [];
  const isPrivate = new Set(
    withheld.flatMap((id) => {
      const record = parseRecordLinks(readPayload(store, 'object', id));
      return record ? narratorNumbers([...record.creators, ...record.persons]) : [];
    }),
  );
  return [...narrators.values()]
    .map(
      (narrator): NarratorEntry =>
        listed.has(narrator.id) && !isPrivate.has(narrator.id) ? { ...narrator, isFree: true } : narrator,
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Returns a function that checks, by the name of the resource, whether hidden records name a narrator and no other record does.
 * If `onlyNamed`, all are hidden whom no other record names.
 */
export function createNarratorFilter(store: Store, hidesObject: (id: string) => boolean, onlyNamed: boolean) {
  const [shown, hidden] = [new Set<string>(), new Set<string>()];
  for (const stored of readBodies(store, 'object')) {
    const record = parseRecordLinks(parseBody(stored));
    if (!record) continue;
    const names = hidesObject(record.id) ? hidden : shown;
    for (const id of narratorNumbers([...record.creators, ...record.persons])) names.add(narratorPath(id));
  }
  return (name: string) => !shown.has(name) && (onlyNamed || hidden.has(name));
}

/** Returns a page of a list of narrators without those who are hidden, by the names of their resources. */
export function omitNarrators(page: Record<string, unknown>, isHidden: (name: string) => boolean): Record<string, unknown> {
  const { objects } = page;
  if (!Array.isArray(objects)) return page;
  const shown = objects.filter((entry) => !isObject(entry) || !isHidden(narratorPath(entryIdentity(entry) ?? '')));
  return shown.length < objects.length ? { ...page, objects: shown } : page;
}
