/** Reads what a catalogue needs of bodies, each once: nothing is read again that an earlier catalogue has of the same body. */
import type { DatabaseSync } from 'node:sqlite';
import type { ResourceKind } from '../../model/resources.ts';
import { type BodyVersion, readBodyVersions, readShownBody } from '../../snapshot/read.ts';
import type { StoredBody } from '../../snapshot/row-types.ts';
import { selectTexts } from '../../snapshot/rows.ts';
import type { Store } from '../../snapshot/store.ts';

/** The reading of one catalogue. */
export interface Reading {
  store: Store;
  /** The catalogue file, which has what was read of bodies before, by the same program with the same settings. */
  db: DatabaseSync;
}

/**
 * Yields the facts of all bodies of a kind, sorted by name. `read` returns the facts, which have to survive JSON, and what else
 * is needed when a body was read now: `more`, which is undefined otherwise. Facts may be shared by several bodies, so they must
 * not be changed.
 */
export function* readFacts<Facts, More = undefined>(
  { store, db }: Reading,
  kind: ResourceKind,
  read: (stored: StoredBody) => { facts: Facts; more?: More },
) {
  const canReuse = !store.filter?.readsOthers;
  const known = openKnownFacts(db, kind);
  let last = { json: 'null', facts: null as Facts };
  for (const { key, name, version } of withoutAmbiguous(readBodyVersions(store, kind))) {
    const json = canReuse && version !== undefined ? known.find(key, version) : undefined;
    if (json !== undefined) {
      if (json !== last.json) last = { json, facts: JSON.parse(json) as Facts };
      yield { key, name, facts: last.facts, more: undefined };
      continue;
    }
    const stored = readShownBody(store, kind, key);
    if (!stored) continue;
    const { facts, more } = read(stored);
    if (canReuse && version !== undefined) known.put(key, version, JSON.stringify(facts));
    yield { key, name, facts, more };
  }
  known.finish();
}

/** Opens what an earlier catalogue has read of the bodies of a kind. */
function openKnownFacts(db: DatabaseSync, kind: ResourceKind) {
  const select = db.prepare('SELECT facts FROM body WHERE key = ? AND version = ?');
  const write = db.prepare('INSERT OR REPLACE INTO body (key, kind, version, facts) VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM body WHERE key = ?');
  const obsolete = new Set(selectTexts(db, 'SELECT key FROM body WHERE kind = ?', kind));
  return {
    /** Returns the JSON of what was read of a version of a body. */
    find(key: string, version: string): string | undefined {
      const json = obsolete.has(key) ? select.get(key, version)?.['facts'] : undefined;
      if (json !== undefined) obsolete.delete(key);
      return json as string | undefined;
    },
    put(key: string, version: string, json: string): void {
      obsolete.delete(key);
      write.run(key, kind, version, json);
    },
    /** Removes what was neither found nor put. */
    finish(): void {
      for (const key of obsolete) remove.run(key);
    },
  };
}

/** Yields rows of which none has a version that has the name of another one: it is not certain which of them was read last. */
function* withoutAmbiguous(rows: Iterable<BodyVersion>): Generator<BodyVersion> {
  let last: BodyVersion | undefined;
  let isAmbiguous = false;
  for (const row of rows) {
    const hasSameName = row.name === last?.name;
    if (last) yield isAmbiguous || hasSameName ? { ...last, version: undefined } : last;
    isAmbiguous = hasSameName;
    last = row;
  }
  if (last) yield isAmbiguous ? { ...last, version: undefined } : last;
}
