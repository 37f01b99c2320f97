/** The service worker of a hosted mirror: what was visited or kept is there without a network. Fresh pages win while there is one. */
import { createPartialResponse } from 'workbox-range-requests/createPartialResponse.js';
import { bareAddress, cachesOf, FORMER_CACHE, MANIFEST } from './offline-cache.ts';
import { renew } from './renewal.ts';
import { remember, rememberShell } from './visited.ts';

/** What of a service worker's surroundings is used here: the DOM's types do not know them. */
interface Surroundings {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown; waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(
    type: 'fetch',
    listener: (event: {
      request: Request;
      respondWith(answer: Promise<Response>): void;
      waitUntil(work: Promise<unknown>): void;
    }) => void,
  ): void;
}
const worker = self as unknown as Surroundings;
const { scope } = worker.registration;

worker.addEventListener('install', (event) => {
  event.waitUntil(rememberShell(scope).then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(caches.delete(FORMER_CACHE));
});

/** A page that was there before the worker tells what it has loaded. */
worker.addEventListener('message', (event) => {
  if (!Array.isArray(event.data)) return;
  const addresses = event.data.filter((address): address is string => typeof address === 'string' && isOurs(address));
  const all = addresses.map(async (address) => remember(scope, bareAddress(address), await fetch(address)));
  event.waitUntil(Promise.allSettled([...all, renew(scope)]));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !isOurs(request.url)) return;
  event.respondWith(
    fetch(request).then(
      (response) => {
        event.waitUntil(take(request, response.clone()));
        if (request.mode === 'navigate') event.waitUntil(renew(scope).catch(() => undefined)); // without a network: the next time
        return response;
      },
      (error: unknown) => recall(request, error),
    ),
  );
});

/** Pages and files of the mirror, not the APIs that `serve` has beside it. */
function isOurs(address: string): boolean {
  return address.startsWith(scope) && !address.startsWith(`${scope}api/`);
}

/** Remembers what a page has asked for; what is gone is forgotten. */
async function take(request: Request, response: Response): Promise<void> {
  // The page that keeps the whole mirror asks in this way, and keeps what it gets by itself.
  if (request.cache === 'no-cache' && request.destination === '') return;
  const address = bareAddress(request.url);
  const names = cachesOf(scope);
  if (response.status === 404 || response.status === 410) await (await caches.open(names.visited)).delete(address);
  else if (address !== scope + MANIFEST && !(await inCache(names.kept, address))) await remember(scope, address, response);
}

async function inCache(name: string, address: string): Promise<Response | undefined> {
  return (await caches.has(name)) ? (await caches.open(name)).match(address) : undefined;
}

async function recall(request: Request, error: unknown): Promise<Response> {
  const address = bareAddress(request.url);
  const names = cachesOf(scope);
  const known = await inCache(names.visited, address);
  const response = known ?? (await inCache(names.kept, address));
  if (!response) throw error; // the browser says that there is no network
  if (known) await (await caches.open(names.visited)).put(address, known.clone()); // it was used last
  return request.headers.has('range') ? createPartialResponse(request, response) : response; // players ask for parts
}
