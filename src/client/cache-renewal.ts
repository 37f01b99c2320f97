/** Deletes files from the browser's caches that the site no longer has, so that a withdrawn record disappears from readers' devices at the next visit. */

import { cacheNames, MANIFEST_FILE, withCacheLock } from './offline-cache.ts';
import { isSaved, parseManifestFiles, saveAll } from './offline-copy.ts';
import { listVisited, rememberShell } from './visited-cache.ts';

/** A file in the cache: the validator of the manifest that the caches were last compared with. */
const MANIFEST_VERSION_NOTE = 'microfiche-seen.txt';
/** Above this size in bytes, deleting all visited pages costs less than downloading the manifest. */
const MAX_MANIFEST_BYTES = 4_000_000;

/** Compares the caches with the site's manifest if it has changed since the last time. Rejects without a network. `rootUrl` is the URL of the site's top directory. */
export function renewCaches(rootUrl: string): Promise<void> {
  return withCacheLock(rootUrl, () => compareManifest(rootUrl), { ifAvailable: true });
}

async function compareManifest(rootUrl: string): Promise<void> {
  const manifest = await fetch(rootUrl + MANIFEST_FILE, { cache: 'no-cache' });
  if (!manifest.ok) return;
  const { visited: name } = cacheNames(rootUrl);
  const lastVersion = await (await (await caches.open(name)).match(rootUrl + MANIFEST_VERSION_NOTE))?.text();
  const version = manifest.headers.get('etag') ?? manifest.headers.get('last-modified') ?? undefined;
  // At the first visit nothing can be out of date.
  const isCurrent =
    version !== undefined && (lastVersion === version || (lastVersion === undefined && !(await isSaved(rootUrl))));
  if (isCurrent) void manifest.body?.cancel();
  else await deleteOutdated(rootUrl, manifest);
  if (version !== undefined && lastVersion !== version)
    await (await caches.open(name)).put(rootUrl + MANIFEST_VERSION_NOTE, new Response(version));
}

/** Deletes files that `manifest` does not list with the same checksum, and updates a site that was saved for offline. */
async function deleteOutdated(top: string, manifest: Response): Promise<void> {
  const saved = await isSaved(top);
  if (!saved && Number(manifest.headers.get('content-length')) > MAX_MANIFEST_BYTES) {
    void manifest.body?.cancel();
    await caches.delete(cacheNames(top).visited);
    await rememberShell(top);
    return;
  }
  const files = parseManifestFiles(await manifest.text());
  // A captive portal responds with its own page.
  if (!files.has('index.html')) throw new Error(`${top}${MANIFEST_FILE} is not the manifest of a site`);
  const cache = await caches.open(cacheNames(top).visited);
  for (const { address, sha256 } of await listVisited(top))
    if (files.get(pathBelow(address, top)) !== sha256) await cache.delete(address);
  await rememberShell(top);
  if (saved) await saveAll(top, files);
}

function pathBelow(address: string, rootUrl: string): string {
  const path = address.slice(rootUrl.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not a path of this site
  }
}
