/** In a kiosk, leads from an item back to the list, search or story that the visitor came from. */
import { deleteFromWindow, readWindow, writeWindow } from './window-storage.ts';

/** The address of the page that the visitor came from, and its title; without a title, a search. */
const CAME_FROM = 'microfiche-came-from';

/** Remembers the page if it is not that of an item. An item's page gets the link to the remembered one. */
export function setUpKioskWay(): void {
  const link = document.querySelector<HTMLAnchorElement>('.kiosk-back');
  // The search page changes its address as the visitor types.
  if (!link) addEventListener('pagehide', () => writeWindow(CAME_FROM, JSON.stringify([location.href, titleOfPage()])));
  else showWay(link);
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

function showWay(link: HTMLAnchorElement): void {
  const [href, title = ''] = JSON.parse(readWindow(CAME_FROM) || '[]') as string[];
  if (href === undefined) return;
  link.href = href;
  const { results = '', list = '' } = link.dataset;
  link.textContent = title === '' ? results : list.replace('#', () => title);
  link.hidden = false;
}
