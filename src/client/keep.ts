/** The section of the about page by which a reader saves the whole site for offline. */
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
  const texts = section.dataset;
  const show = (text: string | undefined, done = 0, total = 0) => {
    status.textContent = (text ?? '').replace('#', String(done)).replace('#', String(total));
  };
  void fetch(`${top}offline.json`)
    .then((response) => response.json())
    .then(({ bytes }: { bytes: number }) => button.append(` (${formatBytes(bytes, document.documentElement.lang)})`))
    .catch(() => undefined); // the size is unknown without a network
  button.addEventListener('click', () => {
    button.disabled = true;
    progress.hidden = false;
    void keep((done, total) => {
      progress.max = total;
      progress.value = done;
      show(texts['keeping'], done, total);
    })
      .then(() => show(texts['kept']))
      .catch(() => show(texts['failed']))
      .finally(() => {
        button.disabled = false;
        progress.hidden = true;
      });
  });
  forget.addEventListener('click', () => {
    const { kept, visited } = cachesOf(top);
    void Promise.all([caches.delete(kept), caches.delete(visited)]).then(() => show(texts['forgotten']));
  });
}

async function keep(onProgress: (done: number, total: number) => void): Promise<void> {
  await navigator.storage?.persist?.();
  await alone(top, async () => {
    const manifest = await (await fetch(top + MANIFEST, { cache: 'no-cache' })).text();
    await keepAll(top, filesIn(manifest), onProgress);
  });
}
