/** Keeps the whole mirror in the browser's cache, and in step with the mirror: only what changed is fetched again, and what is gone goes. */
import { manifestLines } from './manifest-lines.ts';
import { bareAddress, cachesOf } from './offline-cache.ts';

const AT_ONCE = 8;
/** In the cache: what is kept, path by path with its SHA-256. */
const KEPT = 'microfiche-kept.json';
/** Files between two notes of what is kept. */
const NOTE_EVERY = 200;

/** The files of a mirror by path, with the SHA-256 of each. */
export type Files = ReadonlyMap<string, string>;

/** The files that a manifest names. */
export function filesIn(manifest: string): Files {
  return new Map(manifestLines(manifest).map(({ path, sha256 }) => [path, sha256]));
}

/** Whether a reader has chosen to keep this mirror. */
export async function isKept(top: string): Promise<boolean> {
  const { kept } = cachesOf(top);
  return (await caches.has(kept)) && (await (await caches.open(kept)).match(top + KEPT)) !== undefined;
}

/** Brings what is kept in step with the mirror's `files`. What is gone or has changed goes at once, before anything is fetched. @throws when a file could not be fetched. */
export async function keepAll(top: string, files: Files, onProgress?: (done: number, total: number) => void): Promise<void> {
  const cache = await caches.open(cachesOf(top).kept);
  const wanted = needed(files);
  const note = await cache.match(top + KEPT);
  const kept = new Map<string, string>(note ? Object.entries((await note.json()) as Record<string, string>) : []);
  const remember = () =>
    cache.put(
      top + KEPT,
      new Response(JSON.stringify(Object.fromEntries(kept)), { headers: { 'content-type': 'application/json' } }),
    );
  for (const [path, sha256] of kept) {
    if (wanted.get(path) === sha256) continue;
    await cache.delete(bareAddress(top + path));
    kept.delete(path);
  }
  await remember();
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
        if (kept.size % NOTE_EVERY === 0) await remember();
      }
      onProgress?.(++done, wanted.size);
    }
  };
  const stop = (error: unknown) => {
    queue.length = 0; // the others end what they have begun
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => work().catch(stop)));
  await remember();
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Of the two forms of the search index the one that is used over HTTP. */
function needed(files: Files): Files {
  if (![...files.keys()].some((path) => path.startsWith('pagefind/'))) return files;
  return new Map([...files].filter(([path]) => !path.startsWith('packs/')));
}
