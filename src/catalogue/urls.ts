/** The addresses of pages in dist (a contract, see README), without a leading slash; and how one page points at another. */
import { fileName } from '../platform/portable.ts';
import type { Facet } from './facets.ts';

export const HOME = 'index.html';
export const NOT_FOUND = '404.html';
export const SEARCH = 'search.html';
export const ABOUT = 'about.html';
/** The page that a kiosk goes back to; other mirrors have none. */
export const ATTRACT = 'attract.html';
export const AUTHORS = 'authors/index.html';
export const GUIDE = 'guide/index.html';
export const COLLECTIONS = 'collections/index.html';
export const BROWSE = 'browse/index.html';

const paged =
  (folder: string) =>
  (name: string, page = 1) =>
    page === 1 ? `${folder}/${name}.html` : `${folder}/${name}/${page}.html`;
export const objectPath = (id: string, page = 1) => paged('objects')(fileName(id), page);
/** What a collection (or what stands above one) contains, as a tree. */
export const contentsPath = (id: string, page = 1) => paged(`objects/${fileName(id)}`)('contents', page);
export const authorPath = paged('authors');
export const articlePath = paged('guide');
export const facetPath = (facet: Facet) => `browse/${facet}/index.html`;
export const facetValuePath = (facet: Facet, slug: string, page = 1) => paged(`browse/${facet}`)(slug, page);

/** The page of one letter of the long list that begins at `index`. */
export const letterPath = (index: string, slug: string) => index.replace(/index\.html$/, `a_z/${slug}.html`);

/**
 * An address for the page that a host answers with wherever nothing is: whole, where the mirror has an address.
 * `prefix` is that of the page's edition.
 */
export function fromAnywhere(target: string, address: string | undefined, prefix: string): string {
  return address === undefined ? target : new URL(`${prefix}${target}`, address).href;
}

/** A relative address from the page at `from` to the file at `to`: it holds at any path of any host, and on file://. */
export function relative(from: string, to: string): string {
  return `${'../'.repeat(from.split('/').length - 1)}${to}`;
}
