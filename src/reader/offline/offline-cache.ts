/** The caches that the service worker and the about page share: one for a site saved for offline, one for visited pages. */
import { ICON_PATH } from '../../formats/icon-path.ts';

/** Returns the names of a site's caches, which contain its path: a host may have several sites. `rootUrl` is its top URL. */
export function cacheNames(rootUrl: string): { saved: string; visited: string } {
  const { pathname } = new URL(rootUrl);
  return { saved: `microfiche-saved ${pathname}`, visited: `microfiche-visited ${pathname}` };
}
/** The manifest of a site, by its path. */
export const MANIFEST_FILE = 'manifest-sha256.txt';
/** Files that every page needs, and the pages where a reader starts. They are never evicted. */
export const SHELL_FILES = [
  'index.html',
  'about.html',
  'search.html',
  'saved.html',
  'know.html',
  'assets/site.css',
  'assets/print.css',
  'assets/theme.js',
  'assets/object-page.js',
  'assets/search-page.js',
  'assets/saved-page.js',
  'assets/know-page.js',
  'assets/suggest.js',
  'assets/name-search.js',
  ICON_PATH,
];

/** Returns the URL of a file: without its query, which is the state of a page, and with `index.html` for a directory. */
export function stripQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.endsWith('/') ? `${pathname}index.html` : pathname}`;
}

/** Runs `action` while no other page or worker uses these caches. Otherwise waits, or with `ifAvailable` does nothing. */
export function withCacheLock(rootUrl: string, action: () => Promise<void>, { ifAvailable = false } = {}): Promise<void> {
  return withLock(`microfiche ${rootUrl}`, action, { ifAvailable });
}

/** Runs `action` while no other page or worker deletes the cache of visited pages, or marks a page in it as used. */
export function withVisitedLock(rootUrl: string, action: () => Promise<void>): Promise<void> {
  return withLock(`microfiche visited ${rootUrl}`, action, { ifAvailable: false });
}

async function withLock(name: string, action: () => Promise<void>, options: { ifAvailable: boolean }): Promise<void> {
  if (!navigator.locks) return action(); // browsers before 2022
  await navigator.locks.request(name, options, async (lock) => {
    if (lock) await action();
  });
}
