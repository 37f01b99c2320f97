/** The section of the about page with which a reader saves the entire site for offline use. */
import { parseChecksums } from '../../formats/manifest-lines.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { canFetch } from '../browser/protocol.ts';
import { cacheNames, MANIFEST_FILE, withCacheLock, withVisitedLock } from './offline-cache.ts';
import { saveAll } from './offline-copy.ts';

const section = document.getElementById('keep');
const saveButton = section?.querySelector<HTMLButtonElement>('[data-keep="all"]');
const removeButton = section?.querySelector<HTMLButtonElement>('[data-keep="forget"]');
const progress = section?.querySelector('progress');
const status = section?.querySelector('[role="status"]');
const rootUrl = new URL(section?.dataset['root'] || '.', document.baseURI).href;

if (section && saveButton && removeButton && progress && status && canFetch() && 'caches' in window && isSecureContext) {
  section.hidden = false;
  const texts = section.dataset;
  const show = (text: string | undefined, done = 0, total = 0) => {
    status.textContent = (text ?? '').replace('#', String(done)).replace('#', String(total));
  };
  void fetch(`${rootUrl}offline.json`)
    .then((response) => response.json())
    .then(({ bytes }: { bytes: number }) => saveButton.append(` (${formatBytes(bytes, document.documentElement.lang)})`))
    .catch(() => undefined); // the size is unknown without a network
  saveButton.addEventListener('click', () => {
    saveButton.disabled = true;
    progress.hidden = false;
    void saveForOffline((done, total) => {
      progress.max = total;
      progress.value = done;
      show(texts['keeping'], done, total);
    })
      .then(() => show(texts['kept']))
      .catch(() => show(texts['failed']))
      .finally(() => {
        saveButton.disabled = false;
        progress.hidden = true;
      });
  });
  removeButton.addEventListener('click', () => {
    void removeCopy().then(() => show(texts['forgotten']));
  });
}

async function removeCopy(): Promise<void> {
  const { saved, visited } = cacheNames(rootUrl);
  await caches.delete(saved);
  await withVisitedLock(rootUrl, async () => void (await caches.delete(visited)));
}

async function saveForOffline(onProgress: (done: number, total: number) => void): Promise<void> {
  await navigator.storage?.persist?.();
  await withCacheLock(rootUrl, async () => {
    const manifest = await (await fetch(rootUrl + MANIFEST_FILE, { cache: 'no-cache' })).text();
    await saveAll(rootUrl, parseChecksums(manifest), onProgress);
  });
}
