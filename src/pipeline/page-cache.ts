/** The page cache: stores the page keys of the last build, so that only pages that would change are rendered again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedPage } from '../site/plan.ts';

const FILE_NAME = 'pages.json';

/** A planned page whose key has been computed. */
export interface KeyedPage extends Omit<PlannedPage, 'key'> {
  /** Undefined: the page is rendered in every build. */
  key: string | undefined;
}

/** What the cache needs of a page, or of another file that is made from the snapshot. */
type CachedPage = Pick<KeyedPage, 'path' | 'key'>;

/** The page keys of the last build. */
export interface PageCache {
  /** Whether a page must be rendered: it has no key, its key is not that of the last build, or its file does not exist. */
  isStale(page: CachedPage): boolean;
  /** Stores the pages of this build for the next one. A page in `failed` counts as never rendered. */
  store(pages: readonly CachedPage[], failed: (path: string) => boolean): void;
}

/**
 * Opens the page cache in a directory. Keys that were stored with another `buildKey` are ignored. `exists` returns whether a page's file
 * exists.
 */
export function openPageCache(directory: string, buildKey: string, exists: (path: string) => boolean): PageCache {
  const file = join(directory, FILE_NAME);
  const previous = readKeys(file, buildKey);
  return {
    isStale: ({ path, key }) => key === undefined || previous.get(path) !== key || !exists(path),
    store(pages, failed) {
      const keys = pages.flatMap(({ path, key }) => (key === undefined || failed(path) ? [] : [[path, key]]));
      writeFileSync(file, JSON.stringify({ buildKey, pages: keys }));
    },
  };
}

function readKeys(file: string, buildKey: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const stored = JSON.parse(readFileSync(file, 'utf8')) as { buildKey: string; pages: Array<[string, string]> };
  return new Map(stored.buildKey === buildKey ? stored.pages : []);
}
