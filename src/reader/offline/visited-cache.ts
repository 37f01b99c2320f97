/** Caches the files of visited pages for reading without a network. Above its limits, evicts the least recently used files. */
import { cacheNames, SHELL_FILES, stripQuery } from './offline-cache.ts';

/** The maximum size of the cache: about a hundred pages with their images. */
const CACHE_LIMITS = { files: 2000, bytes: 200_000_000 };
/** Larger files are not cached. */
const MAX_FILE_BYTES = 25_000_000;
/** The limits are checked after this number of cached files. */
const TRIM_INTERVAL = 50;
/** Headers of a cached response: its URL, size and SHA-256. */
const CACHE_HEADERS = { address: 'x-microfiche-address', bytes: 'x-microfiche-bytes', sha256: 'x-microfiche-sha256' };

let cachedFiles = 0;

/** Caches a response as most recently used, unless it is too large or not a complete file. `rootUrl` is the site's top URL. */
export async function rememberVisit(rootUrl: string, address: string, response: Response): Promise<void> {
  if (response.status !== 200) return;
  const body = await readBounded(response);
  if (!body) return;
  const headers = new Headers(response.headers);
  headers.delete('content-encoding'); // the body is decoded
  headers.set('content-length', String(body.byteLength));
  headers.set(CACHE_HEADERS.address, address);
  headers.set(CACHE_HEADERS.bytes, String(body.byteLength));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  headers.set(CACHE_HEADERS.sha256, Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''));
  const cache = await caches.open(cacheNames(rootUrl).visited);
  // browser storage is full: the page works without the cache
  await cache.put(address, new Response(body, { headers })).catch(() => undefined);
  if (cachedFiles++ % TRIM_INTERVAL !== 0) return;
  const shell = new Set(SHELL_FILES.map((path) => stripQuery(rootUrl + path)));
  for (const excess of findExcess(await listVisited(rootUrl), CACHE_LIMITS, shell)) await cache.delete(excess);
}

/** Caches the files that every page needs, unless they are cached. */
export async function rememberShell(rootUrl: string): Promise<void> {
  const cache = await caches.open(cacheNames(rootUrl).visited);
  const remember = async (path: string) => {
    const address = stripQuery(rootUrl + path);
    if (await cache.match(address)) return;
    await rememberVisit(rootUrl, address, await fetch(rootUrl + path, { cache: 'no-cache' }));
  };
  await Promise.all(SHELL_FILES.map(remember));
}

/** Returns all cached files, the least recently used first. */
export async function listVisited(rootUrl: string) {
  const cache = await caches.open(cacheNames(rootUrl).visited);
  const responses = await cache.matchAll(); // in the order in which they were cached
  return responses.flatMap(({ headers }) => {
    const address = headers.get(CACHE_HEADERS.address);
    return address === null
      ? []
      : [{ address, bytes: Number(headers.get(CACHE_HEADERS.bytes)), sha256: headers.get(CACHE_HEADERS.sha256) ?? '' }];
  });
}

/** Returns the URLs to evict to meet the limits. `files` are in the order of their last use; `protectedUrls` stay. */
export function findExcess(
  files: ReadonlyArray<{ address: string; bytes: number }>,
  limits: typeof CACHE_LIMITS,
  protectedUrls: ReadonlySet<string>,
): string[] {
  let count = files.length;
  let bytes = files.reduce((total, file) => total + file.bytes, 0);
  const evicted: string[] = [];
  for (const file of files) {
    if (count <= limits.files && bytes <= limits.bytes) break;
    if (protectedUrls.has(file.address)) continue;
    evicted.push(file.address);
    count--;
    bytes -= file.bytes;
  }
  return evicted;
}

/** Reads the body of a response; returns undefined if it is too large. */
async function readBounded(response: Response): Promise<ArrayBuffer | undefined> {
  const chunks: Array<Uint8Array<ArrayBuffer>> = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > MAX_FILE_BYTES) {
      void reader?.cancel();
      return undefined;
    }
    chunks.push(read.value);
  }
  return new Blob(chunks).arrayBuffer();
}
