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

/** Stores a lookup's values by name, instead of all earlier ones; they must survive JSON. Returns whether anything differs. */
export function replaceLookup(db: DatabaseSync, kind: string, values: Readonly<Record<string, unknown>>): boolean {
  const earlier = new Map(
    db
      .prepare('SELECT name, json FROM lookup WHERE kind = ?')
      .all(kind)
      .map(({ name, json }) => [String(name), String(json)]),
  );
  const put = db.prepare('INSERT OR REPLACE INTO lookup (kind, name, json) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM lookup WHERE kind = ? AND name = ?');
  const now = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)] as const);
  const written = now.filter(([name, json]) => earlier.get(name) !== json);
  const removed = earlier
    .keys()
    .filter((name) => !Object.hasOwn(values, name))
    .toArray();
  for (const [name, json] of written) put.run(kind, name, json);
  for (const name of removed) remove.run(kind, name);
  return written.length + removed.length > 0;
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
