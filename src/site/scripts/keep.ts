/** Keeps the whole mirror in the browser, so that all of it can be read without a network; only what changed is fetched again. */
import { formatBytes } from '../../model/durations.ts';
import { manifestLines } from '../manifest-lines.ts';
import { bareAddress, CACHE } from './offline-cache.ts';

const AT_ONCE = 8;
/** In the cache: what is kept, path by path with its SHA-256. */
const KEPT = 'microfiche-kept.json';
/** Files between two notes of what is kept. */
const NOTE_EVERY = 200;

const section = document.getElementById('keep');
const button = section?.querySelector<HTMLButtonElement>('[data-keep="all"]');
const forget = section?.querySelector<HTMLButtonElement>('[data-keep="forget"]');
const progress = section?.querySelector('progress');
const status = section?.querySelector('[role="status"]');
const top = new URL(section?.dataset['root'] || '.', document.baseURI).href;

if (
  section &&
  button &&
  forget &&
  progress &&
  status &&
  /^https?:$/.test(location.protocol) &&
  'caches' in window &&
  isSecureContext
) {
  section.hidden = false;
  const said = section.dataset;
  const show = (words: string | undefined, done = 0, total = 0) => {
    status.textContent = (words ?? '').replace('#', String(done)).replace('#', String(total));
  };
  void fetch(`${top}offline.json`)
    .then((response) => response.json())
    .then(({ bytes }: { bytes: number }) => button.append(` (${formatBytes(bytes, document.documentElement.lang)})`))
    .catch(() => undefined); // without a network its size is not known
  button.addEventListener('click', () => {
    button.disabled = true;
    progress.hidden = false;
    void keepAll((done, total) => {
      progress.max = total;
      progress.value = done;
      show(said['keeping'], done, total);
    })
      .then(() => show(said['kept']))
      .catch(() => show(said['failed']))
      .finally(() => {
        button.disabled = false;
        progress.hidden = true;
      });
  });
  forget.addEventListener('click', () => {
    void caches.delete(CACHE).then(() => show(said['forgotten']));
  });
}

async function keepAll(onProgress: (done: number, total: number) => void): Promise<void> {
  await navigator.storage?.persist?.();
  const cache = await caches.open(CACHE);
  const wanted = await filesOfMirror();
  const note = await cache.match(top + KEPT);
  const kept = new Map<string, string>(note ? Object.entries((await note.json()) as Record<string, string>) : []);
  for (const path of kept.keys()) {
    if (wanted.has(path)) continue;
    await cache.delete(bareAddress(top + path));
    kept.delete(path);
  }
  const remember = () =>
    cache.put(
      top + KEPT,
      new Response(JSON.stringify(Object.fromEntries(kept)), { headers: { 'content-type': 'application/json' } }),
    );
  const queue = [...wanted];
  let done = 0;
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [path, sha256] = next;
      if (kept.get(path) !== sha256 || !(await cache.match(bareAddress(top + path)))) {
        const response = await fetch(top + path, { cache: 'no-cache' });
        if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
        await cache.put(bareAddress(top + path), response);
        kept.set(path, sha256);
        if (kept.size % NOTE_EVERY === 0) await remember();
      }
      onProgress(++done, wanted.size);
    }
  };
  const stop = (error: unknown) => {
    queue.length = 0; // the others end what they have begun
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => work().catch(stop)));
  await remember();
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** What the manifest names; of the two forms of the search index the one that is used over HTTP. */
async function filesOfMirror(): Promise<Map<string, string>> {
  const text = await (await fetch(`${top}manifest-sha256.txt`, { cache: 'no-cache' })).text();
  const files = manifestLines(text);
  const indexed = files.some(({ path }) => path.startsWith('pagefind/'));
  const wanted = files.filter(({ path }) => !(indexed && path.startsWith('packs/')));
  return new Map(wanted.map(({ path, sha256 }) => [path, sha256]));
}
