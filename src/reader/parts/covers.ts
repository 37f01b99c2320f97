/**
 * What content warnings cover. The controls work without a script (src/site/parts/notices/Covered.astro); this one remembers,
 * until the window is closed, which warnings a reader has seen, and shows what they are about in all parts of the page.
 */
import { readWindow, writeWindow } from '../browser/window-storage.ts';

/** In the browser's storage of a window: keys of warnings. A kiosk deletes it after each visitor. */
export const SEEN_WARNINGS = 'microfiche-seen-warnings';

/** Sets up the controls of the page. Done before anything that plays or scrolls to what is covered. */
export function setUpCovers(): void {
  const controls = [...document.querySelectorAll<HTMLDetailsElement>('.cover-control')];
  const seen = new Set(readWindow(SEEN_WARNINGS).split(' ').filter(Boolean));
  const showSeen = () => {
    for (const control of controls) control.open = isSeen(control, seen);
  };
  showSeen();
  for (const control of controls)
    control.addEventListener('toggle', () => {
      const players = control.nextElementSibling?.querySelectorAll<HTMLMediaElement>('audio, video') ?? [];
      if (!control.open) for (const player of players) player.pause();
      // The event comes later than the change, and after changes by this script too.
      if (control.open === isSeen(control, seen)) return;
      for (const key of keysOf(control))
        if (control.open) seen.add(key);
        else seen.delete(key);
      writeWindow(SEEN_WARNINGS, [...seen].join(' '));
      showSeen();
    });
}

const isSeen = (control: HTMLDetailsElement, seen: ReadonlySet<string>): boolean => keysOf(control).every((key) => seen.has(key));

/** Calls a function now, or as soon as the reader wants to see a covered element. */
export function whenShown(element: Element, act: () => void): void {
  const control = findCover(element);
  // It may be covered twice.
  if (control) control.addEventListener('toggle', () => whenShown(element, act), { once: true });
  else act();
}

/** Whether a cover of an element is closed. */
export const isCovered = (element: Element): boolean => findCover(element) !== undefined;

/** Returns the control of the innermost closed cover of an element. */
function findCover(element: Element): HTMLDetailsElement | undefined {
  for (let cover = element.closest('.covered'); cover; cover = cover.parentElement?.closest('.covered') ?? null) {
    const control = cover.previousElementSibling;
    if (control instanceof HTMLDetailsElement && !control.open) return control;
  }
  return undefined;
}

const keysOf = ({ dataset }: HTMLElement): string[] => (dataset['notices'] ?? '').split(' ');
