/** The service worker of a hosted site: serves visited and saved pages without a network, and fetches while there is one. */
import { createPartialResponse } from 'workbox-range-requests/createPartialResponse.js';
import { renewCaches } from './cache-renewal.ts';
import { cacheNames, MANIFEST_FILE, stripQuery, withVisitedLock } from './offline-cache.ts';
import { rememberShell, rememberVisit } from './visited-cache.ts';

/** The part of `ServiceWorkerGlobalScope` that is used here. TypeScript's DOM types do not include it. */
interface WorkerScope {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown; waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(
    type: 'fetch',
    listener: (event: {
      request: Request;
      respondWith(response: Promise<Response>): void;
      waitUntil(work: Promise<unknown>): void;
    }) => void,
  ): void;
}
const worker = self as unknown as WorkerScope;
const { scope } = worker.registration;

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
  event.respondWith(
    fetch(request).then(
      (response) => {
        event.waitUntil(cacheVisited(request, response.clone()));
        if (request.mode === 'navigate') event.waitUntil(renewCaches(scope).catch(() => undefined)); // without a network: at the next visit
        return response;
      },
      (error: unknown) => respondFromCache(request, error, (work) => event.waitUntil(work)),
    ),
  );
});

/** Whether a URL is that of a page or file of the site. The APIs of `microfiche serve` on the same host are not. */
function isInSite(url: string): boolean {
  return url.startsWith(scope) && !url.startsWith(`${scope}api/`);
}

/** Caches a response to a page's request. A 404 or 410 response deletes the cached one. */
async function cacheVisited(request: Request, response: Response): Promise<void> {
  // Saving for offline use sends such requests, and caches the responses itself.
  if (request.cache === 'no-cache' && request.destination === '') return;
  const address = stripQuery(request.url);
  const names = cacheNames(scope);
  if (response.status === 404 || response.status === 410) await (await caches.open(names.visited)).delete(address);
  else if (address !== scope + MANIFEST_FILE && !(await findInCache(names.kept, address)))
    await rememberVisit(scope, address, response);
}

async function findInCache(name: string, address: string): Promise<Response | undefined> {
  return (await caches.has(name)) ? (await caches.open(name)).match(address) : undefined;
}

/**
 * Returns the cached response to a request. If nothing is cached, throws `error`, so that the browser reports the missing network. `waitUntil` gets
 * what remains to be done afterwards.
 */
async function respondFromCache(
  request: Request,
  error: unknown,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Response> {
  const address = stripQuery(request.url);
  const names = cacheNames(scope);
  const known = await findInCache(names.visited, address);
  const response = known ?? (await findInCache(names.kept, address));
  if (!response) throw error;
  if (known) waitUntil(markUsed(address, known.clone()));
  return request.headers.has('range') ? createPartialResponse(request, response) : response; // players request ranges
}

/** Marks a visited file as the most recently used one, unless the reader has deleted the cache meanwhile: a deleted cache stays deleted. */
async function markUsed(address: string, response: Response): Promise<void> {
  const { visited } = cacheNames(scope);
  await withVisitedLock(scope, async () => {
    if (await caches.has(visited)) await (await caches.open(visited)).put(address, response);
  });
}
