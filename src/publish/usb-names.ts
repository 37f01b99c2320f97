/** Names of our files in the root of a USB drive. */

/** The directory of the site. */
export const SITE_DIRECTORY = 'mirror';
/** The page to open with a double click. */
export const START_FILE = 'START HERE.html';
/** The text that describes the contents of the drive. */
export const README_FILE = 'README.txt';
