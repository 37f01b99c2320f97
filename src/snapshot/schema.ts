/** The snapshot's schema: SQL files that each bring a database from one version to the next. They never change once a snapshot was made with them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The number of the last migration. A database with a higher one was written by a newer Microfiche, and is left alone. */
export const SCHEMA_VERSION = 5;
/** “MFch”, so that `file` and others can tell what this database is. */
export const APPLICATION_ID = 0x4d466368;

const FOLDER = join(import.meta.dirname, 'migrations');

/**
 * The SQL that brings a database of `version` up to date, a migration each, with the version that it leads to; all of them for 0, an empty
 * database. A new snapshot is made in the same way, so its columns stand in the same order as in one that was migrated: those of
 * later versions last. No statement counts on that order.
 */
export function migrationsFrom(version: number): Array<{ to: number; sql: string }> {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ to: Number.parseInt(name, 10), name }))
    .filter(({ to }) => to > version)
    .sort((a, b) => a.to - b.to)
    .map(({ to, name }) => ({ to, sql: readFileSync(join(FOLDER, name), 'utf8') }));
}
