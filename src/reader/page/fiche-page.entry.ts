/** The loupe of a fiche: shows the frame at the pointer, the finger or the focus enlarged. The frames become one tab stop. */
import { frameByKey, placeOfLoupe } from './loupe-place.ts';

/** Milliseconds on a frame after which its larger image is loaded. */
const DWELL_MS = 150;

const fiche = document.querySelector<HTMLElement>('.fiche');
const loupe = fiche?.querySelector<HTMLElement>('.loupe');
const lens = loupe?.querySelector('.lens');
if (fiche && loupe && lens) setUpLoupe(fiche, loupe, lens);

function setUpLoupe(film: HTMLElement, glass: HTMLElement, view: Element): void {
  const frames = [...film.querySelectorAll<HTMLAnchorElement>('.frames a')];
  const [title, date] = glass.querySelectorAll('figcaption > *');
  /** The tab stop, and what the loupe shows if it is not hidden. */
  let current = 0;
  let dwell: ReturnType<typeof setTimeout> | undefined;
  /** What the loupe showed when a finger touched the film; -1 for nothing. */
  let shownBefore = -1;
  let isTouched = false;

  const frameAt = (target: Element | null) => {
    const link = target?.closest<HTMLAnchorElement>('.frames a');
    return link ? frames.indexOf(link) : -1;
  };
  const place = () => {
    const frame = frames[current]?.getBoundingClientRect();
    const room = { width: document.documentElement.clientWidth, height: innerHeight };
    if (!frame || glass.hidden) return;
    if (frame.bottom < 0 || frame.top > room.height) return hide();
    const { x, y } = placeOfLoupe(frame, glass.getBoundingClientRect(), room);
    glass.style.translate = `${x}px ${y}px`;
  };
  const hide = () => {
    clearTimeout(dwell);
    glass.hidden = true;
    frames[current]?.removeAttribute('data-shown');
  };
  const makeTabStop = (at: number) => {
    frames[current]?.setAttribute('tabindex', '-1');
    frames[at]?.setAttribute('tabindex', '0');
    current = at;
  };
  const show = (at: number) => {
    const frame = frames[at];
    if (!frame || (at === current && !glass.hidden)) return;
    hide();
    makeTabStop(at);
    frame.setAttribute('data-shown', '');
    const image = frame.querySelector('img');
    view.replaceChildren(image ? enlarge(image) : '');
    if (title) title.textContent = image?.alt ?? frame.textContent.trim();
    if (date) date.textContent = frame.dataset['date'] ?? '';
    glass.lang = frame.lang;
    glass.hidden = false;
    place();
    const { larger } = frame.dataset;
    if (larger) dwell = setTimeout(() => void sharpen(larger, at), DWELL_MS);
  };
  /** Returns a copy of a thumbnail. In a compact build, a script loads it from its pack. */
  const enlarge = (thumbnail: HTMLImageElement) => {
    const copy = thumbnail.cloneNode() as HTMLImageElement;
    copy.removeAttribute('loading');
    if (copy.dataset['thumb']) copy.removeAttribute('src');
    copy.addEventListener('load', place);
    return copy;
  };
  const sharpen = async (src: string, at: number) => {
    const image = Object.assign(new Image(), { src, alt: '' });
    await image.decode().catch(() => undefined); // the thumbnail stays
    if (image.naturalWidth === 0 || glass.hidden || current !== at) return;
    view.replaceChildren(image);
    place();
  };

  frames.forEach((frame, i) => {
    frame.tabIndex = i === 0 ? 0 : -1;
  });
  film.addEventListener('pointerdown', ({ pointerType }) => {
    isTouched = pointerType === 'touch';
    shownBefore = glass.hidden ? -1 : current;
  });
  // A finger’s events are sent to where it touched first.
  film.addEventListener('pointermove', ({ clientX, clientY }) => show(frameAt(document.elementFromPoint(clientX, clientY))));
  film.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse') hide();
  });
  film.addEventListener('focusin', ({ target }) => show(frameAt(target as Element)));
  film.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Element && frameAt(relatedTarget) === -1) hide();
  });
  // The first touch of a frame enlarges it, the second one opens it.
  film.addEventListener('click', (event) => {
    const at = frameAt(event.target as Element);
    if (at === -1) hide();
    if (at === -1 || !isTouched || at === shownBefore) return;
    event.preventDefault();
    show(at);
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !film.contains(target)) hide();
  });
  film.addEventListener('keydown', (event) => {
    const { key, ctrlKey, altKey, metaKey } = event;
    isTouched = false;
    if (key === 'Escape') hide();
    const sheet = frames[current]?.closest('.frames');
    if (!sheet || ctrlKey || altKey || metaKey) return;
    const { gridTemplateColumns, direction } = getComputedStyle(sheet);
    const grid = { columns: gridTemplateColumns.split(' ').length, count: frames.length, isRightToLeft: direction === 'rtl' };
    const target = frameByKey(key, current, grid);
    if (target === undefined) return;
    event.preventDefault();
    frames[target]?.focus();
    show(target);
  });
  addEventListener('scroll', place, { passive: true });
  addEventListener('resize', place);
}
