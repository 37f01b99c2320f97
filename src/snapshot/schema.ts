/** Reads the migrations: SQL files that each migrate a snapshot to the next format version. A released file never changes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The format version: the number of the last migration. A database with a higher one comes from a newer Microfiche and is not opened. */
export const SCHEMA_VERSION = 6;
/** “MFch”: identifies the database to programs such as `file`. */
export const APPLICATION_ID = 0x4d466368;

const MIGRATIONS_DIRECTORY = join(import.meta.dirname, 'migrations');

/**
 * Returns the migrations that a database of `version` needs, in order, each with its SQL and the resulting version. For 0, an empty database,
 * these are all migrations. New snapshots are created in the same way, so their columns have the same order as in migrated ones: columns of
 * later versions come last. No statement relies on that order.
 */
export function migrationsFrom(version: number): Array<{ to: number; sql: string }> {
  return readdirSync(MIGRATIONS_DIRECTORY)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ to: Number.parseInt(name, 10), name }))
    .filter(({ to }) => to > version)
    .sort((a, b) => a.to - b.to)
    .map(({ to, name }) => ({ to, sql: readFileSync(join(MIGRATIONS_DIRECTORY, name), 'utf8') }));
}
