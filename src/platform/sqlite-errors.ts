/** Classifies errors of SQLite by its primary result codes (https://sqlite.org/rescode.html). */

/** Another connection reads or writes the database. */
export const SQLITE_BUSY = 5;
/** The disk failed. */
export const SQLITE_IO_ERROR = 10;
/** The disk is full. */
export const SQLITE_FULL = 13;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED_CODES: ReadonlySet<number> = new Set([11, 26]);

/** Returns the primary result code of an error of SQLite; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined; // the lowest byte is the primary code
}

/** Whether an error says that a database is damaged, or is none. File system errors, such as a full disk, are others. */
export const isDamagedDatabase = (error: unknown): boolean => DAMAGED_CODES.has(sqliteCode(error) ?? 0);
