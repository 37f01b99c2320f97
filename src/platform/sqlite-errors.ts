/** Classifies errors of SQLite. */

/** SQLITE_CORRUPT and SQLITE_NOTADB (https://sqlite.org/rescode.html). */
const DAMAGED_CODES: ReadonlySet<number> = new Set([11, 26]);

/** Whether an error says that a database is damaged, or is not a database. Errors of the file system, such as a full disk, are others. */
export function isDamagedDatabase(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return DAMAGED_CODES.has(errcode & 0xff); // the lowest byte is the primary code
}
