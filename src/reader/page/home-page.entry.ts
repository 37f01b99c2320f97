/** The home page: featured records by day, and this day in other years. The page has all, so that builds are the same. */
import { dayOf, monthAndDay, rotate } from './daily.ts';

const today = new Date();
for (const element of document.querySelectorAll<HTMLElement>('[data-daily]')) {
  const list = element.matches('ul') ? element : element.querySelector('ul');
  list?.append(...rotate([...list.children], dayOf(today) * Number(element.dataset['daily'])));
}

const section = document.querySelector<HTMLElement>('.on-this-day');
const records = section?.querySelector('template')?.content.querySelectorAll(`[data-day="${monthAndDay(today)}"]`) ?? [];
section?.querySelector('ul')?.append(...records);
if (section && records.length > 0) section.hidden = false;
