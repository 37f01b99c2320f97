/** Names on a stick, next to what its owner keeps there. */

/** The folder of the mirror. */
export const FOLDER = 'mirror';
/** The page to open by double click. */
export const START_NAME = 'START HERE.html';
export const README_NAME = 'README.txt';
