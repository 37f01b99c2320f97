/** The service worker of a hosted site: serves visited and saved pages without a network, and fetches while there is one. */
import { createPartialResponse } from 'workbox-range-requests/createPartialResponse.js';
import { parseChecksums } from '../../formats/manifest-lines.ts';
import { decodePercent } from '../../model/text/percent.ts';
import { cacheNames, MANIFEST_FILE, stripQuery, withCacheLock, withVisitedLock } from './offline-cache.ts';
import { isSaved, saveAll } from './offline-copy.ts';
import { listVisited, rememberShell, rememberVisit } from './visited-cache.ts';

/** An event of a worker, which goes on until work is done. */
interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
}

/** The part of `ServiceWorkerGlobalScope` that is used here. TypeScript's DOM types do not include it. */
interface WorkerScope {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'message', listener: (event: WorkerEvent & { data: unknown }) => void): void;
  addEventListener(
    type: 'fetch',
    listener: (event: WorkerEvent & { request: Request; respondWith(response: Promise<Response>): void }) => void,
  ): void;
}
const worker = self as unknown as WorkerScope;
const { scope } = worker.registration;

/** A file in the cache: the validator of the manifest that the caches were last compared with. */
const MANIFEST_VERSION_NOTE = 'microfiche-seen.txt';
/** Above this size in bytes, deleting all visited pages costs less than downloading the manifest. */
const MAX_MANIFEST_BYTES = 4_000_000;

/** Updates the caches if the site's manifest has changed. Rejects without a network. `rootUrl`: the site's top directory. */
function renewCaches(rootUrl: string): Promise<void> {
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
  const files = parseChecksums(await manifest.text());
  // A captive portal responds with its own page.
  if (!files.has('index.html')) throw new Error(`${top}${MANIFEST_FILE} is not the manifest of a site`);
  const cache = await caches.open(cacheNames(top).visited);
  for (const { address, sha256 } of await listVisited(top))
    if (files.get(decodePercent(address.slice(top.length))) !== sha256) await cache.delete(address);
  await rememberShell(top);
  if (saved) await saveAll(top, files);
}

worker.addEventListener('install', (event) => {
  event.waitUntil(rememberShell(scope).then(() => worker.skipWaiting()));
});

/** A page that was loaded before the worker started sends the URLs of the files that it loaded. */
worker.addEventListener('message', (event) => {
  if (!Array.isArray(event.data)) return;
  const urls = event.data.filter((url): url is string => typeof url === 'string' && isInSite(url));
  const all = urls.map(async (url) => rememberVisit(scope, stripQuery(url), await fetch(url)));
  event.waitUntil(Promise.allSettled([...all, renewCaches(scope)]));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !isInSite(request.url)) return;
  const waitUntil = (work: Promise<unknown>) => event.waitUntil(work);
  const respond = async () => {
    const response = await fetch(request);
    waitUntil(cacheVisited(request, response.clone()));
    // without a network: at the next visit
    if (request.mode === 'navigate') waitUntil(renewCaches(scope).catch(() => undefined));
    return response;
  };
  const respondOffline = async (error: unknown) => {
    const response = await respondFromCache(request, waitUntil);
    if (!response) throw error; // the browser reports the missing network
    return response;
  };
  event.respondWith(
    NAMED_BY_CONTENT.test(request.url.slice(scope.length))
      ? respondFromCache(request, waitUntil).then((response) => response ?? respond())
      : respond().catch(respondOffline),
  );
});

/** Files that never change, because their directory is named by its content. */
const NAMED_BY_CONTENT = /^assets\/index\/[^/]+\//;

/** Whether a URL is that of a page or file of the site. The APIs of `microfiche serve` on the same host are not. */
const isInSite = (url: string): boolean => url.startsWith(scope) && !url.startsWith(`${scope}api/`);

/** Caches a response to a page's request. A 404 or 410 response deletes the cached one. */
async function cacheVisited(request: Request, response: Response): Promise<void> {
  // Saving for offline use sends such requests, and caches the responses itself.
  if (request.cache === 'no-cache' && request.destination === '') return;
  const address = stripQuery(request.url);
  const names = cacheNames(scope);
  if (response.status === 404 || response.status === 410) await (await caches.open(names.visited)).delete(address);
  else if (address !== scope + MANIFEST_FILE && !(await findInCache(names.saved, address)))
    await rememberVisit(scope, address, response);
}

async function findInCache(name: string, address: string): Promise<Response | undefined> {
  return (await caches.has(name)) ? (await caches.open(name)).match(address) : undefined;
}

/** Returns the cached response to a request, if there is one. `waitUntil` gets what remains to be done afterwards. */
async function respondFromCache(request: Request, waitUntil: (work: Promise<unknown>) => void): Promise<Response | undefined> {
  const address = stripQuery(request.url);
  const names = cacheNames(scope);
  const known = await findInCache(names.visited, address);
  const response = known ?? (await findInCache(names.saved, address));
  if (!response) return undefined;
  if (known) waitUntil(markUsed(address, known.clone()));
  return request.headers.has('range') ? createPartialResponse(request, response) : response; // players request ranges
}

/** Marks a visited file as the most recently used one, unless the reader has deleted the cache, which stays deleted. */
async function markUsed(address: string, response: Response): Promise<void> {
  const { visited } = cacheNames(scope);
  await withVisitedLock(scope, async () => {
    if (await caches.has(visited)) await (await caches.open(visited)).put(address, response);
  });
}
