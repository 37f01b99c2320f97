/** Takes out of the browser's caches what the mirror no longer has: a record that an archive withdraws goes from every reader's machine at the next visit. */
import { filesIn, isKept, keepAll } from './keeping.ts';
import { alone, cachesOf, MANIFEST } from './offline-cache.ts';
import { rememberShell, visited } from './visited.ts';

/** In the cache: which manifest the caches were last held against, as its server calls it. */
const SEEN = 'microfiche-seen.txt';
/** It costs less to forget what was visited than to fetch a larger manifest for it; bytes. */
const LARGE_MANIFEST = 4_000_000;

/** Holds the caches against the mirror's manifest, where that is another one than the last time. Rejects where there is no network. */
export function renew(top: string): Promise<void> {
  return alone(top, () => compare(top), { ifAvailable: true });
}

async function compare(top: string): Promise<void> {
  const manifest = await fetch(top + MANIFEST, { cache: 'no-cache' });
  if (!manifest.ok) return;
  const { visited: name } = cachesOf(top);
  const seen = await (await (await caches.open(name)).match(top + SEEN))?.text();
  const version = manifest.headers.get('etag') ?? manifest.headers.get('last-modified') ?? undefined;
  // At the first visit there is nothing yet that could be out of date.
  const known = version !== undefined && (seen === version || (seen === undefined && !(await isKept(top))));
  if (known) void manifest.body?.cancel();
  else await drop(top, manifest);
  if (version !== undefined && seen !== version) await (await caches.open(name)).put(top + SEEN, new Response(version));
}

/** Drops what `manifest` no longer names or names with other bytes, and fetches again what the reader chose to keep. */
async function drop(top: string, manifest: Response): Promise<void> {
  const kept = await isKept(top);
  if (!kept && Number(manifest.headers.get('content-length')) > LARGE_MANIFEST) {
    void manifest.body?.cancel();
    await caches.delete(cachesOf(top).visited);
    await rememberShell(top);
    return;
  }
  const files = filesIn(await manifest.text());
  // A network that asks for a password answers with a page of its own.
  if (!files.has('index.html')) throw new Error(`${top}${MANIFEST} is no manifest of a mirror`);
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
    return path; // no address of ours
  }
}
