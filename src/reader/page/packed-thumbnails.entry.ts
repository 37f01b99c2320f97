/** Shows thumbnails from packs when they come near the visible area. */
import { findPackIn } from '../../formats/pack-format.ts';
import { createPackReader } from '../browser/pack-reader.ts';

const ownScript = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI;
const readThumbnail = createPackReader(new URL('../thumbs/', ownScript).href, findPackIn);

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !(target instanceof HTMLImageElement)) continue;
      observer.unobserve(target);
      // A thumbnail that cannot be loaded, for example because the reader has left the page, stays empty.
      showThumbnail(target).catch(() => undefined);
    }
  },
  { rootMargin: '600px' },
);

async function showThumbnail(image: HTMLImageElement): Promise<void> {
  const name = image.dataset['thumb'] ?? '';
  const type = `image/${name.slice(name.lastIndexOf('.') + 1)}`;
  const url = URL.createObjectURL(new Blob([await readThumbnail(name)], { type }));
  image.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
  image.src = url;
}

function observeThumbnails(root: ParentNode): void {
  for (const image of root.querySelectorAll('img[data-thumb]')) observer.observe(image);
}

observeThumbnails(document);
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) observeThumbnails(node);
}).observe(document.body, { childList: true, subtree: true });
