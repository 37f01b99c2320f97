/** The service worker of a hosted mirror: what was visited or kept is there without a network. Fresh pages win while there is one. */
import { bareAddress, CACHE, partOf, SHELL } from './offline-cache.ts';

/** What of a service worker's surroundings is used here: the DOM's types do not know them. */
interface Surroundings {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install', listener: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
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
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL.map((path) => new URL(path, scope).href)))
      .then(() => worker.skipWaiting()),
  );
});

/** A page that was there before the worker tells what it has loaded. */
worker.addEventListener('message', (event) => {
  if (!Array.isArray(event.data)) return;
  const addresses = event.data.filter((address): address is string => typeof address === 'string' && isOurs(address));
  event.waitUntil(Promise.allSettled(addresses.map(async (address) => keep(bareAddress(address), await fetch(address)))));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !isOurs(request.url)) return;
  event.respondWith(
    fetch(request).then(
      (response) => {
        event.waitUntil(keep(bareAddress(request.url), response.clone()));
        return response;
      },
      (error: unknown) => kept(request, error),
    ),
  );
});

/** Pages and files of the mirror, not the APIs that `serve` has beside it. */
function isOurs(address: string): boolean {
  return address.startsWith(scope) && !address.startsWith(`${scope}api/`);
}

async function keep(address: string, response: Response): Promise<void> {
  if (response.status !== 200) return;
  const cache = await caches.open(CACHE);
  await cache.put(address, response).catch(() => undefined); // no room is left: the page is shown all the same
}

async function kept(request: Request, error: unknown): Promise<Response> {
  const cache = await caches.open(CACHE);
  const response = await cache.match(bareAddress(request.url));
  if (!response) throw error; // the browser says that there is no network
  const range = request.headers.get('range');
  return range === null ? response : partOf(response, range);
}
