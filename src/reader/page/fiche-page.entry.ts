/** The script of a fiche: the loupe follows the pointer, a finger and the keys. The frames become one tab stop. */
import { createLoupe, type Loupe } from './loupe.ts';
import { frameByKey } from './loupe-place.ts';

const fiche = document.querySelector<HTMLElement>('.fiche');
const glass = fiche?.querySelector<HTMLElement>('.loupe');
if (fiche && glass) {
  const frames = [...fiche.querySelectorAll<HTMLAnchorElement>('.frames a')];
  const loupe = createLoupe(glass, frames);
  followPointer(fiche, frames, loupe);
  followKeys(fiche, frames, loupe);
}

/** Returns the number of the frame that an element is in; -1 outside of the frames. */
function frameAt(target: EventTarget | null, frames: readonly HTMLAnchorElement[]): number {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('.frames a') : null;
  return link ? frames.indexOf(link) : -1;
}

/** The first touch of a frame enlarges it, the second one opens it. */
function followPointer(film: HTMLElement, frames: readonly HTMLAnchorElement[], loupe: Loupe): void {
  let isTouch = false;
  /** What the loupe showed before the touch. */
  let before = -1;
  document.addEventListener('pointerdown', ({ pointerType, target }) => {
    isTouch = pointerType === 'touch';
    before = loupe.shown();
    if (frameAt(target, frames) === -1) loupe.hide();
  });
  // A finger’s events are sent to where it touched first.
  film.addEventListener('pointermove', ({ clientX, clientY }) =>
    loupe.show(frameAt(document.elementFromPoint(clientX, clientY), frames)),
  );
  film.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse') loupe.hide();
  });
  film.addEventListener('click', (event) => {
    const at = frameAt(event.target, frames);
    // The click of the key Enter has no detail.
    if (at === -1 || !isTouch || event.detail === 0 || at === before) return;
    event.preventDefault();
    loupe.show(at);
  });
}

function followKeys(film: HTMLElement, frames: readonly HTMLAnchorElement[], loupe: Loupe): void {
  let tabStop = 0;
  frames.forEach((frame, i) => {
    frame.tabIndex = i === tabStop ? 0 : -1;
  });
  film.addEventListener('focusin', ({ target }) => {
    const at = frameAt(target, frames);
    if (at === -1) return;
    frames[tabStop]?.setAttribute('tabindex', '-1');
    frames[at]?.setAttribute('tabindex', '0');
    tabStop = at;
    loupe.show(at);
  });
  film.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && frameAt(relatedTarget, frames) === -1) loupe.hide();
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') loupe.hide();
  });
  film.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    const at = frameAt(target, frames);
    const sheet = frames[at]?.closest('.frames');
    if (!sheet || ctrlKey || altKey || metaKey) return;
    const { gridTemplateColumns, direction } = getComputedStyle(sheet);
    const columns = gridTemplateColumns.split(' ').length;
    const next = frameByKey(key, at, { columns, count: frames.length, isRightToLeft: direction === 'rtl' });
    if (next === undefined) return;
    event.preventDefault();
    frames[next]?.focus();
  });
}
