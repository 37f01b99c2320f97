/** Caches what a reader has visited, for reading without a network. Above its limits, the least recently used files are evicted. */
import { bareAddress, cachesOf, SHELL } from './offline-cache.ts';

/** The maximum size of the cache. */
export interface Limits {
  files: number;
  bytes: number;
}
/** About a hundred pages with their images. */
export const LIMITS: Limits = { files: 2000, bytes: 200_000_000 };
/** Larger files are not cached; bytes. */
const MAX_FILE_BYTES = 25_000_000;
/** The limits are checked after this number of cached files. */
const TRIM_EVERY = 50;
/** Headers of a cached response: its URL, size and SHA-256. */
const HEADERS = { address: 'x-microfiche-address', bytes: 'x-microfiche-bytes', sha256: 'x-microfiche-sha256' };

/** A cached file. */
export interface Visited {
  address: string;
  bytes: number;
  sha256: string;
}

let cachedFiles = 0;

/** Caches a response as the most recently used one. Does nothing if it is not a complete file, or is too large. `top` is the URL of the site's top directory. */
export async function remember(top: string, address: string, response: Response): Promise<void> {
  if (response.status !== 200) return;
  const body = await bytesOf(response);
  if (!body) return;
  const headers = new Headers(response.headers);
  headers.delete('content-encoding'); // the body is decoded
  headers.set('content-length', String(body.byteLength));
  headers.set(HEADERS.address, address);
  headers.set(HEADERS.bytes, String(body.byteLength));
  headers.set(HEADERS.sha256, hex(await crypto.subtle.digest('SHA-256', body)));
  const cache = await caches.open(cachesOf(top).visited);
  await cache.put(address, new Response(body, { headers })).catch(() => undefined); // browser storage is full: the page works without
  if (cachedFiles++ % TRIM_EVERY === 0) await trim(top);
}

/** Caches the files that every page needs, unless they are cached. */
export async function rememberShell(top: string): Promise<void> {
  const cache = await caches.open(cachesOf(top).visited);
  const missing = await Promise.all(SHELL.map(async (path) => ((await cache.match(bareAddress(top + path))) ? [] : [path])));
  await Promise.all(
    missing.flat().map(async (path) => remember(top, bareAddress(top + path), await fetch(top + path, { cache: 'no-cache' }))),
  );
}

/** Returns all cached files, the least recently used first. */
export async function visited(top: string): Promise<Visited[]> {
  const cache = await caches.open(cachesOf(top).visited);
  const responses = await cache.matchAll(); // in the order in which they were cached
  return responses.flatMap(({ headers }) => {
    const address = headers.get(HEADERS.address);
    return address === null
      ? []
      : [{ address, bytes: Number(headers.get(HEADERS.bytes)), sha256: headers.get(HEADERS.sha256) ?? '' }];
  });
}

async function trim(top: string): Promise<void> {
  const cache = await caches.open(cachesOf(top).visited);
  const shell = new Set(SHELL.map((path) => bareAddress(top + path)));
  for (const address of excess(await visited(top), LIMITS, shell)) await cache.delete(address);
}

/** Returns the URLs to evict, so that the others are within the limits. `files` are in the order of their last use; those in `spared` stay. */
export function excess(files: readonly Visited[], limits: Limits, spared: ReadonlySet<string>): string[] {
  let count = files.length;
  let bytes = files.reduce((total, file) => total + file.bytes, 0);
  const evicted: string[] = [];
  for (const file of files) {
    if (count <= limits.files && bytes <= limits.bytes) break;
    if (spared.has(file.address)) continue;
    evicted.push(file.address);
    count--;
    bytes -= file.bytes;
  }
  return evicted;
}

/** Reads the body of a response; returns undefined if it is too large. */
async function bytesOf(response: Response): Promise<ArrayBuffer | undefined> {
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

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
