/** Counts the bytes that a search page reads from file://. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Meter } from './search-in-browser.ts';

/** Returns the URL of the search page of a site. */
export function searchPageUrl(site: string): string {
  return pathToFileURL(join(site, 'search.html')).href;
}

/** Counts each file that the page requests once. Firefox reports none of them. */
export function createFileMeter(): Meter {
  const counted = new Set<string>();
  let bytes = 0;
  return {
    onRequest(url) {
      const file = url.replace(/[?#].*$/, '');
      if (!url.startsWith('file:') || counted.has(file)) return;
      counted.add(file);
      bytes += statSync(fileURLToPath(file)).size;
    },
    take() {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
  };
}
