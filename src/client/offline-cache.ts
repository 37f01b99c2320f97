/** What the service worker and the page that keeps the whole mirror share: what the reader chose to keep stands in one cache, what was only visited in another. */

/** The caches of the mirror whose first folder is at `top`: several mirrors may stand on one host. */
export function cachesOf(top: string): { kept: string; visited: string } {
  const { pathname } = new URL(top);
  return { kept: `microfiche-kept ${pathname}`, visited: `microfiche-visited ${pathname}` };
}
/** Earlier versions had one cache for everything, without a bound. */
export const FORMER_CACHE = 'microfiche';
export const MANIFEST = 'manifest-sha256.txt';
/** What every page needs, and where a reader begins. */
export const SHELL = [
  'index.html',
  'about.html',
  'search.html',
  'assets/site.css',
  'assets/theme.js',
  'assets/object.js',
  'assets/search.js',
  'assets/icon.svg',
];

/** The address of a file: without the query, which only tells the page what to show (or Pagefind’s entry file the time), and with the name of a folder’s first page. */
export function bareAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.endsWith('/') ? `${pathname}index.html` : pathname}`;
}

/** Runs `work` while neither the worker nor another page is at work on these caches: when they are through, or, with `ifAvailable`, not at all. */
export async function alone(top: string, work: () => Promise<void>, { ifAvailable = false } = {}): Promise<void> {
  if (!navigator.locks) return work(); // a browser from before 2022
  await navigator.locks.request(`microfiche ${top}`, { ifAvailable }, async (lock) => {
    if (lock) await work();
  });
}
