/** Shows thumbnails from packs when they come near the visible area. */
import { packIn, type Ranges } from './pack-format.ts';
import { createPackReader } from './pack-reader.ts';

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI;
const read = createPackReader<Ranges>(new URL('../thumbs/', own).href, packIn);
const MARGIN = '600px';

const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !(target instanceof HTMLImageElement)) continue;
      near.unobserve(target);
      // A thumbnail that cannot be loaded, for example because the reader has left the page, stays empty.
      show(target).catch(() => undefined);
    }
  },
  { rootMargin: MARGIN },
);

async function show(image: HTMLImageElement): Promise<void> {
  const name = image.dataset['thumb'] ?? '';
  const type = name.endsWith('.avif') ? 'image/avif' : 'image/webp';
  const url = URL.createObjectURL(new Blob([await read(name)], { type }));
  image.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
  image.src = url;
}

function watch(root: ParentNode): void {
  for (const image of root.querySelectorAll('img[data-thumb]')) near.observe(image);
}

watch(document);
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) watch(node);
}).observe(document.body, { childList: true, subtree: true });
