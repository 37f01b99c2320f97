/** What a reader has visited, kept for reading without a network: a bounded number of files, of which those that were not used for longest go first. */
import { bareAddress, cachesOf, SHELL } from './offline-cache.ts';

export interface Limits {
  files: number;
  bytes: number;
}
/** About a hundred pages with their pictures. */
export const LIMITS: Limits = { files: 2000, bytes: 200_000_000 };
/** A larger file is not kept by the way; bytes. */
const LARGEST = 25_000_000;
/** Files that are remembered between two looks at the bounds. */
const TRIM_EVERY = 50;
/** Headers of what is remembered: where it is from, how large it is, and its SHA-256. */
const HEADERS = { address: 'x-microfiche-address', bytes: 'x-microfiche-bytes', sha256: 'x-microfiche-sha256' };

export interface Visited {
  address: string;
  bytes: number;
  sha256: string;
}

let remembered = 0;

/** Remembers an answer as the one used last. What is no whole file, or too large, is not. */
export async function remember(top: string, address: string, response: Response): Promise<void> {
  if (response.status !== 200) return;
  const body = await bytesOf(response);
  if (!body) return;
  const headers = new Headers(response.headers);
  headers.delete('content-encoding'); // the bytes are as they were before it
  headers.set('content-length', String(body.byteLength));
  headers.set(HEADERS.address, address);
  headers.set(HEADERS.bytes, String(body.byteLength));
  headers.set(HEADERS.sha256, hex(await crypto.subtle.digest('SHA-256', body)));
  const cache = await caches.open(cachesOf(top).visited);
  await cache.put(address, new Response(body, { headers })).catch(() => undefined); // no room is left: the page is shown all the same
  if (remembered++ % TRIM_EVERY === 0) await trim(top);
}

/** Remembers what every page needs, where it is not there. */
export async function rememberShell(top: string): Promise<void> {
  const cache = await caches.open(cachesOf(top).visited);
  const missing = await Promise.all(SHELL.map(async (path) => ((await cache.match(bareAddress(top + path))) ? [] : [path])));
  await Promise.all(
    missing.flat().map(async (path) => remember(top, bareAddress(top + path), await fetch(top + path, { cache: 'no-cache' }))),
  );
}

/** Everything that is remembered, the one used longest ago first. */
export async function visited(top: string): Promise<Visited[]> {
  const cache = await caches.open(cachesOf(top).visited);
  const responses = await cache.matchAll(); // in the order in which they were put
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

/** The addresses that must go, of files in the order of their last use, so that the rest is within the limits. Those in `spared` stay. */
export function excess(files: readonly Visited[], limits: Limits, spared: ReadonlySet<string>): string[] {
  let count = files.length;
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const gone: string[] = [];
  for (const file of files) {
    if (count <= limits.files && bytes <= limits.bytes) break;
    if (spared.has(file.address)) continue;
    gone.push(file.address);
    count--;
    bytes -= file.bytes;
  }
  return gone;
}

/** The whole of an answer; undefined where that is too much. */
async function bytesOf(response: Response): Promise<ArrayBuffer | undefined> {
  const chunks: Array<Uint8Array<ArrayBuffer>> = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > LARGEST) {
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
