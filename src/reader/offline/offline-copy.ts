/** Saves the entire site in the browser's cache, and updates it: fetches changed files, and deletes those that are gone. */
import { isInOfflineCopy } from '../../formats/manifest-lines.ts';
import { cacheNames, stripQuery } from './offline-cache.ts';

/** Maximum number of concurrent requests. */
const CONCURRENCY = 8;
/** A file in the cache: the SHA-256 of each saved file, by path. */
const SAVED_FILES_NOTE = 'microfiche-saved.json';
/** That file is written after this number of saved files. */
const WRITE_EVERY = 200;

/** Whether the reader has saved this site for offline. `rootUrl` is the URL of the site's top directory. */
export async function isSaved(rootUrl: string): Promise<boolean> {
  const { saved } = cacheNames(rootUrl);
  return (await caches.has(saved)) && (await (await caches.open(saved)).match(rootUrl + SAVED_FILES_NOTE)) !== undefined;
}

/**
 * Updates the saved files to match those of the site: `files` has the SHA-256 of each, by path. Deletes removed and changed files
 * first, before it fetches anything.
 * @throws {Error} if a file could not be fetched.
 */
export async function saveAll(
  rootUrl: string,
  files: ReadonlyMap<string, string>,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  const cache = await caches.open(cacheNames(rootUrl).saved);
  const needed = new Map([...files].filter(([path]) => isInOfflineCopy(path)));
  const stored = await cache.match(rootUrl + SAVED_FILES_NOTE);
  const saved = new Map<string, string>(stored ? Object.entries((await stored.json()) as Record<string, string>) : []);
  const writeSaved = () =>
    cache.put(
      rootUrl + SAVED_FILES_NOTE,
      new Response(JSON.stringify(Object.fromEntries(saved)), { headers: { 'content-type': 'application/json' } }),
    );
  for (const [path, sha256] of saved) {
    if (needed.get(path) === sha256) continue;
    await cache.delete(stripQuery(rootUrl + path));
    saved.delete(path);
  }
  await writeSaved();
  const queue = [...needed];
  let done = 0;
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [path, sha256] = next;
      if (saved.get(path) !== sha256 || !(await cache.match(stripQuery(rootUrl + path)))) {
        const response = await fetch(rootUrl + path, { cache: 'no-cache' });
        if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
        await cache.put(stripQuery(rootUrl + path), response);
        saved.set(path, sha256);
        if (saved.size % WRITE_EVERY === 0) await writeSaved();
      }
      onProgress?.(++done, needed.size);
    }
  };
  const stopAll = (error: unknown) => {
    queue.length = 0; // requests in flight complete
    throw error;
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => work().catch(stopAll)));
  await writeSaved();
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
