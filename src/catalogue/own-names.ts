/** What builds have in a site's folder for themselves: it is in no manifest. */

/** In the site's folder while a publish moves files, and where one was interrupted. Lines as in the manifest: what that publish may have put in place. */
export const JOURNAL = '.microfiche-journal.txt';
/** The new files, before they are moved in. */
export const STAGING = '.microfiche-new';
/** Held by the build that writes into the folder. */
export const LOCK = '.microfiche-lock';
/** Names in a site's folder that are the builds' own and are never published. */
export const OWN_NAMES: ReadonlySet<string> = new Set([JOURNAL, STAGING, LOCK]);
