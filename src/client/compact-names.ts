/** What of a compact site stands in packs: known to the build and to the search page. */

/** The page that shows a page out of a pack: `page.html?objects/demo-1.html`. */
export const VIEWER = 'page.html';

const THUMBS = 'thumbs/';
const PACKED = /^(?:[a-z]{2}\/)?(?:objects|authors|guide|browse)\/.+\.html$/;
/** Where readers begin: these stay files of their own. */
const BEGINNINGS = /^(?:[a-z]{2}\/)?(?:authors|guide|browse|browse\/[^/]+)\/index\.html$/;

/** Whether a page of the site stands in a pack. */
export function isPackedPage(path: string): boolean {
  return PACKED.test(path) && !BEGINNINGS.test(path);
}

/** Whether a file of the site is a thumbnail, which stands in a pack. */
export function isPackedThumb(path: string): boolean {
  return path.startsWith(THUMBS);
}
