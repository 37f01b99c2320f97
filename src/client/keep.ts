/** The part of a page by which a reader keeps the whole mirror in the browser, so that all of it can be read without a network. */
import { formatBytes } from '../platform/durations.ts';
import { filesIn, keepAll } from './keeping.ts';
import { alone, cachesOf, MANIFEST } from './offline-cache.ts';

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
    void keep((done, total) => {
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
    const { kept, visited } = cachesOf(top);
    void Promise.all([caches.delete(kept), caches.delete(visited)]).then(() => show(said['forgotten']));
  });
}

async function keep(onProgress: (done: number, total: number) => void): Promise<void> {
  await navigator.storage?.persist?.();
  await alone(top, async () => {
    const manifest = await (await fetch(top + MANIFEST, { cache: 'no-cache' })).text();
    await keepAll(top, filesIn(manifest), onProgress);
  });
}
