/** Paths of pages in the site, without leading slash, and relative links between them: a contract (docs/addresses.md). */
import type { Facet } from '../model/facets.ts';
import { objectFileName } from '../platform/portability.ts';

/** Path of the home page. */
export const HOME_PATH = 'index.html';
/** Path of the page that hosts return for unknown paths. */
export const NOT_FOUND_PATH = '404.html';
/** Path of the search page. */
export const SEARCH_PATH = 'search.html';
/** Path of the page with the items that a reader has saved. */
export const SAVED_PATH = 'saved.html';
/** Path of the page on which readers write what they know. Sites without contributions do not have it. */
export const KNOW_PATH = 'know.html';
/** Path of the page about this offline copy. */
export const ABOUT_PATH = 'about.html';
/** Path of the licenses of the software in a site, beside its pages: `public/licenses.txt`. */
export const LICENSES_PATH = 'licenses.txt';
/** The page with the site's data to take away. */
export const DATA_PATH = 'data.html';
/** The media types of these files, by path in the site. */
export const DATA_FILES = {
  'data/records.csv': 'text/csv',
  'data/places.geojson': 'application/geo+json',
  'data/datapackage.json': 'application/json',
} as const;
/** The accessibility statement. */
export const ACCESSIBILITY_PATH = 'accessibility.html';
/** Path of the attract screen. Only kiosk builds have it. */
export const ATTRACT_PATH = 'attract.html';
/** Path of the list of authors. */
export const AUTHORS_PATH = 'authors/index.html';
/** Path of the list of people and organizations. */
export const PEOPLE_PATH = 'people/index.html';
/** Path of the list of guide pages. */
export const GUIDE_PATH = 'guide/index.html';
/** Path of the list of collections. */
export const COLLECTIONS_PATH = 'collections/index.html';
/** Path of the list of facets. */
export const BROWSE_PATH = 'browse/index.html';
/** Path of the list of exhibits. Only sites with exhibits have it. */
export const EXHIBITS_PATH = 'exhibits/index.html';

/** The pages of which a site has one, by their kind. All show data of the entire archive. */
export const SINGLE_PAGES = {
  home: HOME_PATH,
  'not-found': NOT_FOUND_PATH,
  about: ABOUT_PATH,
  accessibility: ACCESSIBILITY_PATH,
  data: DATA_PATH,
  search: SEARCH_PATH,
  saved: SAVED_PATH,
  know: KNOW_PATH,
  attract: ATTRACT_PATH,
  exhibits: EXHIBITS_PATH,
  collections: COLLECTIONS_PATH,
  people: PEOPLE_PATH,
  authors: AUTHORS_PATH,
  'guide-list': GUIDE_PATH,
  browse: BROWSE_PATH,
};

const createPagedPath =
  (directory: string) =>
  (name: string, page = 1) =>
    page === 1 ? `${directory}/${name}.html` : `${directory}/${name}/${page}.html`;
/** Returns the path of a record's page. */
export const objectPath = (id: string, page = 1) => createPagedPath('objects')(objectFileName(id), page);
/** Returns the path of a page with the contents of a collection, organization or repository, as a tree. */
export const contentsPath = (id: string, page = 1) => createPagedPath(`objects/${objectFileName(id)}`)('contents', page);
/** Returns the path of the page of an entire interview. */
export const transcriptPath = (id: string) => `objects/${objectFileName(id)}/transcript.html`;
/** Returns the path of a page of a collection's fiche. */
export const fichePath = (id: string, page = 1) => createPagedPath(`objects/${objectFileName(id)}`)('fiche', page);
/** Returns the path of an author's page. */
export const authorPath = createPagedPath('authors');
/** Returns the path of the page of a person or organization. */
export const personPath = (slug: string) => `people/${slug}.html`;
/** Returns the path of a guide page. */
export const articlePath = createPagedPath('guide');
/** Returns the path of an own page or exhibit. */
export const ownPath = (kind: 'pages' | 'exhibits', slug: string) => `${kind}/${slug}.html`;
/** Returns the path of the list of a facet's values. */
export const facetPath = (facet: Facet) => `browse/${facet}/index.html`;
/** Returns the path of a page of a facet value. */
export const facetValuePath = (facet: Facet, slug: string, page = 1) => createPagedPath(`browse/${facet}`)(slug, page);

/** Returns the path of the page for one letter of a long list, whose first page is `index`. */
export const letterPath = (index: string, slug: string) => index.replace(/index\.html$/, `a_z/${slug}.html`);

/**
 * Returns a link for the page that hosts return for any unknown path: an absolute URL if the site's URL is known, else `target`
 * unchanged. `prefix` is the path prefix of the page's locale.
 */
export function urlFromAnywhere(target: string, siteUrl: string | undefined, prefix: string): string {
  return siteUrl === undefined ? target : new URL(`${prefix}${target}`, siteUrl).href;
}

/** Returns the relative link from the page at `from` to the file at `to`. It is valid at any path of any host, and on file://. */
export const relativeUrl = (from: string, to: string): string => `${'../'.repeat(from.split('/').length - 1)}${to}`;

/** Path of the IIIF Collection of the entire archive. */
export const IIIF_COLLECTION_PATH = 'iiif/collection.json';
/** Returns the path of a file about a record for IIIF viewers. `canvas` is only an identifier, without a file. */
export const iiifPath = (id: string, name: 'manifest.json' | 'collection.json' | 'record.json' | 'canvas') =>
  `iiif/${objectFileName(id)}/${name}`;

/** Journal of publishing: files that may have been moved, as in a manifest. It exists meanwhile and after an interruption. */
export const JOURNAL_FILE = '.microfiche-journal.txt';
/** Staging directory: new files, before they are moved into place. */
export const STAGING_DIRECTORY = '.microfiche-new';
/** Lock of the build that writes to the directory. */
export const LOCK_FILE = '.microfiche-lock';
/** All names of working files. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([JOURNAL_FILE, STAGING_DIRECTORY, LOCK_FILE]);
