/** Decides what upstream does not publish: private records, everything below them, and unpublished authors. */
import { ancestorIds, ancestorIdsByShape } from '../../model/ancestors.ts';
import { authorNameInEntry, readAuthor } from '../../model/guide/guide.ts';
import { isObjectId, parseId } from '../../model/ids.ts';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { listItems } from '../../snapshot/lists.ts';
import { parseBody, readBody, readPayload } from '../../snapshot/read.ts';
import type { Store } from '../../snapshot/store.ts';
import { untilChanged } from '../../snapshot/until-changed.ts';

/** A visibility that shows everything. */
export const EVERYTHING = { record: () => true, author: () => true };

/** What one record declares about its visibility. */
export interface Declaration {
  shown: boolean;
  /** IDs of the ancestors that it names. */
  ancestors: string[];
}

const HIDDEN_RECORD: Declaration = { shown: false, ancestors: [] };

/**
 * Returns the visibility by what upstream publishes: without private records (`public: "0"`), everything below them, and
 * unpublished authors. Each result is computed when it is first needed, and cached until the snapshot changes, which is checked
 * at each `usesPerCheck`-th use.
 */
export function createPublicationStatus(store: Store, usesPerCheck = 1) {
  const cache = createCache(store, usesPerCheck);

  function declarationOf(id: string, { declarations }: ReturnType<typeof cache>): Declaration {
    const cached = declarations.get(id);
    if (cached) return cached;
    const declaration = readDeclaration(store, id);
    declarations.set(id, declaration);
    return declaration;
  }

  /** Visits each ancestor once, for all records: a result is valid for all records on the path to it. */
  function record(id: string): boolean {
    const current = cache();
    const { records } = current;
    const cached = records.get(id);
    if (cached !== undefined) return cached;
    const visited = new Set([id]);
    /** Records by the ancestor that they name. */
    const descendants = new Map<string, string[]>();
    for (const one of visited) {
      const cachedResult = records.get(one);
      if (cachedResult === true) continue;
      const declaration = cachedResult === undefined ? declarationOf(one, current) : HIDDEN_RECORD;
      if (!declaration.shown) {
        const hidden = new Set([one]);
        for (const hiddenId of hidden) {
          records.set(hiddenId, false);
          for (const descendant of descendants.get(hiddenId) ?? []) hidden.add(descendant); // visited later in this loop
        }
        return false;
      }
      for (const ancestor of declaration.ancestors) {
        descendants.set(ancestor, [...(descendants.get(ancestor) ?? []), one]);
        visited.add(ancestor); // visited later in this loop
      }
    }
    for (const visitedId of visited) records.set(visitedId, true);
    return true;
  }

  return {
    /** Returns whether the record with an ID may be shown. False for text that is not an object ID. */
    record,
    /** Caches a record that was already read. It must be the record that the snapshot has under this ID. */
    note: (record: ArchivalRecord) => void cache().declarations.set(record.id, declarationIn(record)),
    /** The same, by what the record declares. */
    noteDeclaration: (id: string, declaration: Declaration) => void cache().declarations.set(id, declaration),
    /** Returns whether the author with a name may be shown. */
    author: (name: string) =>
      cache().listed.get(name) !== false && readAuthor(readPayload(store, 'author', name))?.published !== false,
  };
}

function readDeclaration(store: Store, id: string): Declaration {
  if (!isObjectId(id)) return HIDDEN_RECORD;
  const stored = readBody(store, 'object', id);
  const record = (stored && parseRecord(parseBody(stored))) ?? parseRecord(readListEntry(store, id));
  if (record) return declarationIn(record);
  // A body that is not a record does not declare that it is public, so it is withheld.
  return { shown: stored === undefined, ancestors: ancestorIdsByShape(id) };
}

/** Returns what a record declares about its visibility. */
export const declarationIn = (record: ArchivalRecord): Declaration => ({ shown: record.public, ancestors: ancestorIds(record) });

/** Returns a record's entry in the list of the parent in its ID, and that parent's ID; undefined if there is none. */
export function readListEntry(store: Store, id: string): Record<string, unknown> | undefined {
  const { parent, model } = parseId(id);
  const item = parent && listItems(store, model === 'file' ? 'files' : 'children', parent).find((entry) => entry['id'] === id);
  return item ? { parent_id: parent, ...item } : undefined;
}

/** Returns a function that returns the cache, which is empty again after another connection has written to the snapshot. */
function createCache(store: Store, usesPerCheck: number) {
  const current = untilChanged(store, () => {
    /** Whether an author is published, by name, as the authors list declares. */
    const listed = new Map<string, boolean>();
    for (const entry of listItems(store, 'authors', '')) {
      const author = readAuthor(entry);
      if (author) listed.set(authorNameInEntry(entry) ?? author.name, author.published);
    }
    return { declarations: new Map<string, Declaration>(), records: new Map<string, boolean>(), listed };
  });
  let cache: ReturnType<typeof current> | undefined;
  let uses = 0;
  return () => {
    cache = cache && ++uses % usesPerCheck !== 0 ? cache : current();
    return cache;
  };
}
