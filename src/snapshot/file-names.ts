/** The names of the files and directories of a snapshot. */
import { join } from 'node:path';

/** The snapshot of the sample archive, which is public, and a part of the program. `npm run prepare` writes its database. */
export const SAMPLE_DIRECTORY = join(import.meta.dirname, '../../content/sample');

/** All responses, as an SQLite database. */
export const DATABASE_FILE = 'snapshot.sqlite';
/** The lock of the process that writes. */
export const LOCK_FILE = 'lock.sqlite';
/** The report of the last harvest, and of the last run of `media`. */
export const REPORT_FILE = 'report.txt';
/** The last update. */
export const UPDATE_FILE = 'update.json';
/** What was withheld before, of a snapshot and of a site. */
export const WITHHELD_FILE = 'withholding.json';
/** Media files by their state. */
export const MEDIA_DIRECTORIES = { stored: 'media', quarantined: 'quarantine' } as const;
