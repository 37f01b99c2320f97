/** Lookups in a database file, which many threads can read and which take little memory. */
import type { DatabaseSync } from 'node:sqlite';
import type { Lookup } from './lookup.ts';
import { createRecent } from './recent.ts';

/** The table of all lookups in a database. */
export const LOOKUP_SCHEMA = `
  CREATE TABLE lookup (
    kind TEXT NOT NULL,                   -- the lookup
    name TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) STRICT, WITHOUT ROWID;`;

/** Values that are kept in memory for each lookup. */
const MAX_VALUES = 4_000;

/** A value of a lookup that differs from the earlier one. */
export interface LookupChange {
  name: string;
  /** JSON; undefined if there was none. */
  before: string | undefined;
  /** JSON; undefined if there is none any more. */
  now: string | undefined;
}

/** Stores the values of a lookup by name, instead of all earlier ones; they have to survive JSON. Returns what differs. */
export function replaceLookup(db: DatabaseSync, kind: string, values: Readonly<Record<string, unknown>>): LookupChange[] {
  const earlier = new Map(
    db
      .prepare('SELECT name, json FROM lookup WHERE kind = ?')
      .all(kind)
      .map(({ name, json }) => [String(name), String(json)]),
  );
  const put = db.prepare('INSERT OR REPLACE INTO lookup (kind, name, json) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM lookup WHERE kind = ? AND name = ?');
  const changes: LookupChange[] = [];
  for (const [name, value] of Object.entries(values)) {
    const [before, now] = [earlier.get(name), JSON.stringify(value)];
    earlier.delete(name);
    if (before === now) continue;
    put.run(kind, name, now);
    changes.push({ name, before, now });
  }
  for (const [name, before] of earlier) {
    remove.run(kind, name);
    changes.push({ name, before, now: undefined });
  }
  return changes;
}

/** Returns the lookup of stored values. */
export function openLookup<Value>(db: DatabaseSync, kind: string): Lookup<Value> {
  const select = db.prepare('SELECT json FROM lookup WHERE kind = ? AND name = ?');
  const recent = createRecent<string, Value | undefined>(MAX_VALUES);
  const read = (name: string) => {
    const json = select.get(kind, name)?.['json'];
    return typeof json === 'string' ? (JSON.parse(json) as Value) : undefined;
  };
  return { get: (name) => recent.get(name, read) };
}
