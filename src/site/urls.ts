/** The addresses of pages in dist (a contract, see README), without a leading slash; and how one page points at another. */
import type { Facet } from './facets.ts';

export const HOME = 'index.html';
export const SEARCH = 'search.html';
export const ABOUT = 'about.html';
export const AUTHORS = 'authors/index.html';
export const GUIDE = 'guide/index.html';
export const COLLECTIONS = 'collections/index.html';
export const BROWSE = 'browse/index.html';

export const objectPath = (id: string, page = 1) => (page === 1 ? `objects/${id}.html` : `objects/${id}/${page}.html`);
/** What a collection (or what stands above one) contains, as a tree. */
export const contentsPath = (id: string, page = 1) =>
  page === 1 ? `objects/${id}/contents.html` : `objects/${id}/contents/${page}.html`;
export const authorPath = (slug: string) => `authors/${slug}.html`;
export const articlePath = (slug: string) => `guide/${slug}.html`;
export const facetPath = (facet: Facet) => `browse/${facet}/index.html`;
export const facetValuePath = (facet: Facet, slug: string, page = 1) =>
  page === 1 ? `browse/${facet}/${slug}.html` : `browse/${facet}/${slug}/${page}.html`;

/** The page of one letter of the long list that begins at `index`. */
export const letterPath = (index: string, slug: string) => index.replace(/index\.html$/, `a_z/${slug}.html`);

/** A relative address from the page at `from` to the file at `to`: it holds at any path of any host, and on file://. */
export function relative(from: string, to: string): string {
  return `${'../'.repeat(from.split('/').length - 1)}${to}`;
}
