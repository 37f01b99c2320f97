/** Names of our own working files in the directory of a site. They are in no manifest and are never published. */

/** Lists, like a manifest, the files that a publish may have moved. Exists while it runs, and after it was interrupted. */
export const JOURNAL = '.microfiche-journal.txt';
/** Staging directory: new files, before they are moved into place. */
export const STAGING = '.microfiche-new';
/** Lock of the build that writes to the directory. */
export const LOCK = '.microfiche-lock';
/** All names of working files. */
export const OWN_NAMES: ReadonlySet<string> = new Set([JOURNAL, STAGING, LOCK]);
