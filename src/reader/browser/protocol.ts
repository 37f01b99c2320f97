/** How the page was opened: over HTTP, from a directory, or from a package, whose program has a protocol of its own. */

/** Whether scripts can fetch files of the site. Browsers refuse it on file://, and Qt WebEngine on zim://. */
export const canFetch = (): boolean => /^https?:$/.test(location.protocol);

/** Whether the page is in a package, such as a ZIM file. `export` marks such pages. */
export const isPackaged = (): boolean => document.documentElement.dataset['package'] !== undefined;
