/** The loupe of a fiche: shows one frame enlarged, above or below it, with title and date. */
import { placeOfLoupe } from './loupe-place.ts';

/** The loupe. Frames have numbers from 0; -1 is none. */
export type Loupe = ReturnType<typeof createLoupe>;

/** Milliseconds on a frame after which its larger image is loaded. */
const DWELL_MS = 150;

/** Sets up the loupe `glass`, which stays at its frame when the window is scrolled. */
export function createLoupe(glass: HTMLElement, frames: readonly HTMLAnchorElement[]) {
  const [view, title, date] = ['.lens', 'b', 'span'].map((part) => glass.querySelector(part));
  let shown = -1;
  let dwell: ReturnType<typeof setTimeout> | undefined;

  const hide = () => {
    clearTimeout(dwell);
    frames[shown]?.removeAttribute('data-shown');
    glass.hidden = true;
    shown = -1;
  };
  const place = () => {
    const frame = frames[shown]?.getBoundingClientRect();
    const room = { width: document.documentElement.clientWidth, height: innerHeight };
    if (!frame) return;
    if (frame.bottom < 0 || frame.top > room.height) return hide();
    const { x, y } = placeOfLoupe(frame, glass.getBoundingClientRect(), room);
    glass.style.left = `${x}px`;
    glass.style.top = `${y}px`;
  };
  const setImage = (image: HTMLImageElement | string) => {
    view?.replaceChildren(image);
    place();
  };
  const sharpen = async (src: string, frame: number) => {
    const image = Object.assign(new Image(), { src, alt: '' });
    await image.decode().catch(() => undefined); // the thumbnail stays
    if (image.naturalWidth > 0 && shown === frame) setImage(image);
  };
  addEventListener('scroll', place, { passive: true });
  addEventListener('resize', place);

  return {
    /** Returns the frame that it shows. */
    shown: () => shown,
    hide,
    /** Shows a frame. None leaves it as it is. */
    show(at: number) {
      const frame = frames[at];
      if (!frame || at === shown) return;
      hide();
      shown = at;
      frame.setAttribute('data-shown', '');
      const image = frame.querySelector('img');
      if (title) title.textContent = image?.alt ?? frame.textContent.trim();
      if (date) date.textContent = frame.dataset['date'] ?? '';
      glass.lang = frame.lang;
      glass.hidden = false;
      setImage(image ? copyOf(image, place) : '');
      const { larger } = frame.dataset;
      if (larger) dwell = setTimeout(() => void sharpen(larger, at), DWELL_MS);
    },
  };
}

/** Returns a copy of a thumbnail. In a compact build, a script loads it from its pack. */
function copyOf(thumbnail: HTMLImageElement, onLoad: () => void): HTMLImageElement {
  const copy = thumbnail.cloneNode() as HTMLImageElement;
  copy.removeAttribute('class');
  copy.removeAttribute('loading');
  if (copy.dataset['thumb']) copy.removeAttribute('src');
  copy.addEventListener('load', onLoad);
  return copy;
}
