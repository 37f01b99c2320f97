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

/** Stores values by name; they have to survive JSON. */
export function writeLookup(db: DatabaseSync, kind: string, values: Readonly<Record<string, unknown>>): void {
  const insert = db.prepare('INSERT INTO lookup (kind, name, json) VALUES (?, ?, ?)');
  for (const [name, value] of Object.entries(values)) insert.run(kind, name, JSON.stringify(value));
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
