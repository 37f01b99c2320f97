/** Names of our own working files in the directory of a site. They are in no manifest and are never published. */

/** Journal of publishing: lists files that may have been moved, as a manifest. Exists while publishing, or if interrupted. */
export const JOURNAL_FILE = '.microfiche-journal.txt';
/** Staging directory: new files, before they are moved into place. */
export const STAGING_DIRECTORY = '.microfiche-new';
/** Lock of the build that writes to the directory. */
export const LOCK_FILE = '.microfiche-lock';
/** All names of working files. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([JOURNAL_FILE, STAGING_DIRECTORY, LOCK_FILE]);
