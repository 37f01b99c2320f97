/** In a kiosk, leads from a page back to the list, search or story that the visitor came from, and to where they were on it. */
import { currentPlace, type Place, sendToPlace, takePlace } from './page-place.ts';
import { deleteFromWindow, readWindow, writeWindow } from './window-storage.ts';

/** The pages on the visitor’s way, except those of items; the last one is at the end. */
const CAME_FROM = 'microfiche-came-from';
const MAX_PAGES = 10;

/** A page on the way. Without a title, it is a search. */
interface WayPage extends Place {
  href: string;
  title: string;
}

/** Shows the way back on a page that has a place for it, and remembers the page unless it is that of an item. */
export function setUpKioskWay(): void {
  const link = document.querySelector<HTMLAnchorElement>('.kiosk-back');
  const way = JSON.parse(readWindow(CAME_FROM) || '[]') as WayPage[];
  const at = way.findIndex(({ href }) => href === location.href);
  const before = at === -1 ? way : way.slice(0, at);
  if (link) showWay(link, before[before.length - 1]);
  if (link?.dataset['item'] !== undefined) return;
  // The search page changes its address as the visitor types.
  addEventListener('pagehide', () => {
    const page: WayPage = { href: location.href, title: titleOfPage(), ...currentPlace() };
    writeWindow(CAME_FROM, JSON.stringify([...before, page].slice(-MAX_PAGES)));
  });
  // The search page has results first.
  const place = document.getElementById('results') ? undefined : takePlace();
  if (place) scrollTo(0, place.top);
}

/** Forgets where the last visitor was. */
export function forgetKioskWay(): void {
  deleteFromWindow(CAME_FROM);
}

function titleOfPage(): string {
  if (document.getElementById('results') && location.search !== '') return '';
  const heading = document.querySelector('h1');
  const texts = [...(heading?.childNodes ?? [])].filter((node) => !(node instanceof Element && node.matches('.count')));
  return texts
    .map(({ textContent }) => textContent ?? '')
    .join('')
    .trim();
}

function showWay(link: HTMLAnchorElement, page: WayPage | undefined): void {
  if (!page) return;
  const { href, title } = page;
  link.href = href;
  const { results = '', list = '' } = link.dataset;
  link.textContent = title === '' ? results : list.replace('#', () => title);
  link.hidden = false;
  link.addEventListener('click', () => sendToPlace(href, page));
}
