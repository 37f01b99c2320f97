/** Where a reader was on a page with a list, for the way back: browsers that reload it know neither results nor height. */
import { deleteFromWindow, readWindow, writeWindow } from './window-storage.ts';

/** A place on a page. */
export interface Place {
  /** Pixels above the window. */
  top: number;
  /** The number of search results on the page; 0 for other lists. */
  shown: number;
}

/** The place to which a link of a kiosk leads, with the address of its page. */
const PLACE = 'microfiche-place';

/** Returns where the reader is now. */
export function currentPlace(): Place {
  return { top: Math.round(scrollY), shown: document.getElementById('results')?.children.length ?? 0 };
}

/** The place at which the reader left the page with an address. */
const leftKey = () => `microfiche-left ${location.href}`;

/** Remembers where the reader leaves the page, for the browser’s way back. */
export function keepPlace(): void {
  addEventListener('pagehide', () => writeWindow(leftKey(), JSON.stringify(currentPlace())));
}

/** Remembers a place for the page that a link opens now. */
export function sendToPlace(href: string, { top, shown }: Place): void {
  writeWindow(PLACE, JSON.stringify({ href, top, shown }));
}

/** Returns where the reader left this page, once; undefined if the page is not opened by the way back. */
export function takePlace(): Place | undefined {
  const sent = readPlace(PLACE);
  deleteFromWindow(PLACE);
  const place = sent?.href === location.href ? sent : isBack() ? readPlace(leftKey()) : undefined;
  if (place) history.scrollRestoration = 'manual';
  return place;
}

/** Whether the page is opened by the browser’s way back, or again. */
function isBack(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'back_forward' || navigation?.type === 'reload';
}

function readPlace(key: string): (Place & { href?: unknown }) | undefined {
  const place = JSON.parse(readWindow(key) || 'null') as Partial<Record<'top' | 'shown' | 'href', unknown>> | null;
  const { top, shown, href } = place ?? {};
  return typeof top === 'number' && typeof shown === 'number' ? { top, shown, href } : undefined;
}
