/** Filters and sorts the contents of a collection, if all of them are on the page. */
import { withoutArticle } from '../model/sort-key.ts';
import { setUpListFilter } from './list-filter.ts';

/** Lets the reader filter and sort the contents as far as the page offers it. */
export function setUpContentsBar(): void {
  const bar = document.querySelector('.contents-bar');
  const list = bar?.parentElement?.querySelector('.cards');
  const filter = bar?.querySelector<HTMLInputElement>('[data-filter]');
  const order = bar?.querySelector<HTMLSelectElement>('[data-order]');
  const status = bar?.querySelector<HTMLElement>('[data-shown]');
  if (!list || !filter || !order || !status) return;
  const cards = [...list.querySelectorAll<HTMLElement>('.card')];
  setUpListFilter(filter, cards, { status, none: document.querySelector<HTMLElement>('.no-matches') });
  order.addEventListener('change', () => list.append(...sortCards(cards, order.value)));
}

function sortCards(cards: readonly HTMLElement[], order: string): readonly HTMLElement[] {
  const { compare } = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const titleOf = (card: HTMLElement) => withoutArticle(card.querySelector('.card-title')?.textContent ?? '');
  const dateOf = (card: HTMLElement) => card.dataset['date'] ?? '';
  if (order === 'title') return [...cards].sort((a, b) => compare(titleOf(a), titleOf(b)));
  if (order !== 'date') return cards;
  // Records without a date come last.
  return [...cards].sort((a, b) => {
    const [first, second] = [dateOf(a), dateOf(b)];
    if (first === second) return 0;
    return first !== '' && (second === '' || first < second) ? -1 : 1;
  });
}
