/** The tables of a snapshot. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The format version. A database with another one is not opened. */
export const SCHEMA_VERSION = 9;
/** “MFch”: identifies the database to programs such as `file`. */
export const APPLICATION_ID = 0x4d466368;
/** Returns the SQL that creates the tables. */
export function readSchema(): string {
  return readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8');
}
