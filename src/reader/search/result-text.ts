/** Texts and addresses of results, as the search page shows them. */

import { pageHref } from '../browser/site-files.ts';
import type { MarkedText } from './excerpt.ts';
import { createElement, pageData } from './search-elements.ts';

/** Returns the address of a page by its path from the top of the locale, as fragments have it. */
export function pageAddress(url: string): string {
  return pageHref(url.replace(/^\//, ''), pageData);
}

/** Returns text as nodes. Nothing from the index is parsed as HTML. */
export function toNodes({ segments }: MarkedText): Node[] {
  return segments.map(({ text, isMatch }) => (isMatch ? createElement('mark', {}, text) : document.createTextNode(text)));
}
