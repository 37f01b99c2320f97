/** Deletes from the browser's caches what the site no longer has, so that a withdrawn record disappears from readers' devices at the next visit. */
import { filesIn, isKept, keepAll } from './keeping.ts';
import { alone, cachesOf, MANIFEST } from './offline-cache.ts';
import { rememberShell, visited } from './visited.ts';

/** A file in the cache: the validator of the manifest that the caches were last compared with. */
const SEEN = 'microfiche-seen.txt';
/** Above this size, deleting all visited pages costs less than downloading the manifest; bytes. */
const LARGE_MANIFEST = 4_000_000;

/** Compares the caches with the site's manifest if it has changed since the last time. Rejects without a network. `top` is the URL of the site's top directory. */
export function renew(top: string): Promise<void> {
  return alone(top, () => compare(top), { ifAvailable: true });
}

async function compare(top: string): Promise<void> {
  const manifest = await fetch(top + MANIFEST, { cache: 'no-cache' });
  if (!manifest.ok) return;
  const { visited: name } = cachesOf(top);
  const lastVersion = await (await (await caches.open(name)).match(top + SEEN))?.text();
  const version = manifest.headers.get('etag') ?? manifest.headers.get('last-modified') ?? undefined;
  // At the first visit nothing can be out of date.
  const isCurrent = version !== undefined && (lastVersion === version || (lastVersion === undefined && !(await isKept(top))));
  if (isCurrent) void manifest.body?.cancel();
  else await deleteOutdated(top, manifest);
  if (version !== undefined && lastVersion !== version) await (await caches.open(name)).put(top + SEEN, new Response(version));
}

/** Deletes files that `manifest` does not list with the same checksum, and updates a site that was saved for offline. */
async function deleteOutdated(top: string, manifest: Response): Promise<void> {
  const kept = await isKept(top);
  if (!kept && Number(manifest.headers.get('content-length')) > LARGE_MANIFEST) {
    void manifest.body?.cancel();
    await caches.delete(cachesOf(top).visited);
    await rememberShell(top);
    return;
  }
  const files = filesIn(await manifest.text());
  // A captive portal responds with a page of its own.
  if (!files.has('index.html')) throw new Error(`${top}${MANIFEST} is not the manifest of a site`);
  const cache = await caches.open(cachesOf(top).visited);
  for (const { address, sha256 } of await visited(top))
    if (files.get(pathOf(address, top)) !== sha256) await cache.delete(address);
  await rememberShell(top);
  if (kept) await keepAll(top, files);
}

function pathOf(address: string, top: string): string {
  const path = address.slice(top.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not a path of this site
  }
}
