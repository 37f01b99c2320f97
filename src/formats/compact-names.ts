/** Which files of a compact build are in packs. The build and the search page both need to know. */

/** The page that shows a page from a pack: `page.html?objects/demo-1.html`. */
export const VIEWER_PAGE = 'page.html';

const PACKED_PATH = /^(?:[a-z]{2}\/)?(?:objects|people|authors|guide|browse|pages|exhibits)\/.+\.html$/;
/** Entry pages, which stay separate files. */
const ENTRY_PAGES = /^(?:[a-z]{2}\/)?(?:people|authors|guide|exhibits|browse|browse\/[^/]+)\/index\.html$/;

/** Whether a page of the site is stored in a pack. */
export const isPackedPage = (path: string): boolean => PACKED_PATH.test(path) && !ENTRY_PAGES.test(path);

/** Whether a file of the site is a thumbnail, which a compact build stores in a pack. */
export const isPackedThumbnail = (path: string): boolean => path.startsWith('thumbs/');
