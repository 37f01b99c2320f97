/** Reads the stored narrators. */
import { type Narrator, readNarrator } from '../model/people/narrator.ts';
import { listItems } from './lists.ts';
import { parseBody, readBodies, readResourceNames } from './read.ts';
import type { Store } from './store.ts';

/** Returns the narrators that the lists of narrators name, by number. */
export function readListedNarrators(store: Store): Map<string, Narrator> {
  const entries = readResourceNames(store, 'narrators').flatMap((name) => listItems(store, 'narrators', name));
  return new Map(entries.flatMap((entry) => readNarrator(entry) ?? []).map((narrator) => [narrator.id, narrator]));
}

/** Returns all narrators, by number. What lists (`listed`) say is newer than what their own resources say. */
export function readAllNarrators(store: Store, listed = readListedNarrators(store)): Map<string, Narrator> {
  const narrators = new Map(listed);
  for (const stored of readBodies(store, 'narrator')) {
    const narrator = readNarrator(parseBody(stored));
    if (narrator) narrators.set(narrator.id, { ...narrator, ...listed.get(narrator.id) });
  }
  return narrators;
}
