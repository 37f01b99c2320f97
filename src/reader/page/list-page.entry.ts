/** The script of pages with long lists of names: filters them. */
import { setUpListFilter } from '../parts/list-filter.ts';

const field = document.querySelector<HTMLInputElement>('.name-filter input');
const status = document.querySelector<HTMLElement>('.name-filter [role="status"]');
const items = [...document.querySelectorAll<HTMLElement>('main .columns li, main .tree li, main .index-cards > li')].filter(
  (item) => item.closest('.spot-places') === null,
);
/** Letters with nothing left are hidden with their names, and grayed out in the row of letters. */
const groups = [...document.querySelectorAll<HTMLElement>('.letter')];
const links = [...document.querySelectorAll<HTMLAnchorElement>('.letters a[href^="#"]')].flatMap((link) => {
  const group = document.getElementById(decodeURIComponent(link.hash.slice(1)))?.closest<HTMLElement>('.letter');
  return group ? [{ link, group, href: link.getAttribute('href') ?? '' }] : [];
});
if (field && status)
  setUpListFilter(field, items, status, {
    onFiltered() {
      for (const group of groups) group.hidden = !group.querySelector('li:not([hidden])');
      for (const { link, group, href } of links) {
        if (group.hidden) link.removeAttribute('href');
        else link.setAttribute('href', href);
      }
    },
  });
