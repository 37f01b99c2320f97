/** Saves the whole site in the browser's cache, and updates it: fetches only what changed, and deletes what the site no longer has. */
import { manifestLines } from './manifest-lines.ts';
import { bareAddress, cachesOf } from './offline-cache.ts';

/** Concurrent requests. */
const CONCURRENCY = 8;
/** A file in the cache: the SHA-256 of each saved file, by path. */
const KEPT = 'microfiche-kept.json';
/** That file is written after this number of saved files. */
const WRITE_EVERY = 200;

/** The SHA-256 of each file of a site, by path. */
export type Files = ReadonlyMap<string, string>;

/** Returns the files that a manifest lists. */
export function filesIn(manifest: string): Files {
  return new Map(manifestLines(manifest).map(({ path, sha256 }) => [path, sha256]));
}

/** Whether the reader has saved this site for offline. `top` is the URL of the site's top directory. */
export async function isKept(top: string): Promise<boolean> {
  const { kept } = cachesOf(top);
  return (await caches.has(kept)) && (await (await caches.open(kept)).match(top + KEPT)) !== undefined;
}

/**
 * Updates the saved files to match the site's `files`. Deletes removed and changed files first, before it fetches anything.
 * @throws {Error} if a file could not be fetched.
 */
export async function keepAll(top: string, files: Files, onProgress?: (done: number, total: number) => void): Promise<void> {
  const cache = await caches.open(cachesOf(top).kept);
  const wanted = needed(files);
  const stored = await cache.match(top + KEPT);
  const kept = new Map<string, string>(stored ? Object.entries((await stored.json()) as Record<string, string>) : []);
  const writeKept = () =>
    cache.put(
      top + KEPT,
      new Response(JSON.stringify(Object.fromEntries(kept)), { headers: { 'content-type': 'application/json' } }),
    );
  for (const [path, sha256] of kept) {
    if (wanted.get(path) === sha256) continue;
    await cache.delete(bareAddress(top + path));
    kept.delete(path);
  }
  await writeKept();
  const queue = [...wanted];
  let done = 0;
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [path, sha256] = next;
      if (kept.get(path) !== sha256 || !(await cache.match(bareAddress(top + path)))) {
        const response = await fetch(top + path, { cache: 'no-cache' });
        if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
        await cache.put(bareAddress(top + path), response);
        kept.set(path, sha256);
        if (kept.size % WRITE_EVERY === 0) await writeKept();
      }
      onProgress?.(++done, wanted.size);
    }
  };
  const stopAll = (error: unknown) => {
    queue.length = 0; // requests in flight complete
    throw error;
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => work().catch(stopAll)));
  await writeKept();
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Leaves out the packs of the search index if the site also has Pagefind's files, which are used over HTTP. */
function needed(files: Files): Files {
  if (![...files.keys()].some((path) => path.startsWith('pagefind/'))) return files;
  return new Map([...files].filter(([path]) => !path.startsWith('packs/')));
}
