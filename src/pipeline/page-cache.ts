/** Remembers from build to build which pages there are and the key of each, so that only pages that would change are rendered again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedPage } from '../site/plan.ts';

const FILE = 'pages.json';

/** A page with its key computed. Undefined: the page is rendered in every build. */
export interface KeyedPage extends Omit<PlannedPage, 'key'> {
  key: string | undefined;
}

export interface PageCache {
  /** Whether a page must be rendered: it has no key, its key is not that of the last build, or its file is gone. */
  isStale(page: KeyedPage): boolean;
  /** Stores the pages of this build for the next one. A page in `failed` counts as never rendered. */
  store(pages: readonly KeyedPage[], failed: (path: string) => boolean): void;
}

/** Opens the page cache in a directory. `epoch` names all that every page depends on; keys of another epoch count as unknown. `exists` tells whether a page's file is there. */
export function openPageCache(directory: string, epoch: string, exists: (path: string) => boolean): PageCache {
  const file = join(directory, FILE);
  const previous = readKeys(file, epoch);
  return {
    isStale: ({ path, key }) => key === undefined || previous.get(path) !== key || !exists(path),
    store(pages, failed) {
      const keys = pages.flatMap(({ path, key }) => (key === undefined || failed(path) ? [] : [[path, key]]));
      writeFileSync(file, JSON.stringify({ epoch, pages: keys }));
    },
  };
}

function readKeys(file: string, epoch: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const stored = JSON.parse(readFileSync(file, 'utf8')) as { epoch: string; pages: Array<[string, string]> };
  return new Map(stored.epoch === epoch ? stored.pages : []);
}
