/** The script of the home page: shows other featured records each day. All of them are in the page, so that every build has the same bytes. */
import { dayOf, rotate } from './daily.ts';

const day = dayOf(new Date());
for (const element of document.querySelectorAll<HTMLElement>('[data-daily]')) {
  const list = element.matches('ul') ? element : element.querySelector('ul');
  list?.append(...rotate([...list.children], day * Number(element.dataset['daily'])));
}
