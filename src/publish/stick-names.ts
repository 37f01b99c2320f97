/** Names of our files in the root of a USB drive. */

/** The directory of the site. */
export const FOLDER = 'mirror';
/** The page to open with a double click. */
export const START_NAME = 'START HERE.html';
/** The text that says what the drive contains. */
export const README_NAME = 'README.txt';
