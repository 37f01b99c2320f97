/** The tables of a snapshot, and the check that a database has them, and nothing else that SQLite could run or compute. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lazy } from '../platform/lazy.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { readText } from './rows.ts';

/** The format version. A database with another one is not opened. */
export const SCHEMA_VERSION = 9;
/** “MFch”: identifies the database to programs such as `file`. */
export const APPLICATION_ID = 0x4d466368;
/** Returns the SQL that creates the tables. */
export const readSchema = (): string => readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8');

/** Every table, index, view and trigger. This query loads no module and computes no column. Longer SQL is not ours. */
const OBJECTS = `SELECT type, name, iif(octet_length(sql) < 10000, sql, '') AS sql FROM sqlite_schema
  WHERE NOT (type = 'index' AND sql IS NULL AND name GLOB 'sqlite_autoindex_*')`;

const expectedObjects = lazy(() => {
  using db = new DatabaseSync(':memory:');
  db.exec(readSchema());
  return objectsOf(db);
});

/** Returns why Microfiche does not read a database; undefined if it does. */
export function tablesProblem(db: DatabaseSync): string | undefined {
  const objects = new Map(objectsOf(db).map((object) => [object.name, object]));
  for (const { type, name, sql } of expectedObjects()) {
    const found = objects.get(name);
    if (!found) return `its ${type} ${name} is missing`;
    if (found.type !== type || found.sql !== sql) return `its ${type} ${name} is not as Microfiche creates it`;
    objects.delete(name);
  }
  const [more] = objects.values();
  return more && `it contains a ${toPrintable(`${more.type} ${more.name}`, 100)}, which Microfiche did not create`;
}

/** Returns the objects of a database, with their SQL without comments. */
function objectsOf(db: DatabaseSync) {
  return db
    .prepare(OBJECTS)
    .all()
    .map((row) => ({ type: readText(row, 'type'), name: readText(row, 'name'), sql: withoutComments(readText(row, 'sql')) }));
}

/** A comment in the schema may change without a new format version. White space is SQLite's, which knows less of it. */
const withoutComments = (sql: string): string => sql.replace(/--[^\n]*/g, '').replace(/[ \t\n\f\r]+/g, ' ');
