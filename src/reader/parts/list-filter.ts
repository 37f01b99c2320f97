/** Filters a list that is on the page as the reader types. */
import { eastAsian } from '../../formats/search/fold-letters.ts';
import { foldText, wordsOfFilter } from '../../formats/search/fold-text.ts';
import { whenFolding } from '../browser/load-east-asian.ts';

/** Milliseconds after a key before the number of entries is announced. */
const ANNOUNCED_AFTER = 500;

/**
 * Shows only those of `items` of which the text has all words in the field. An item of a tree is shown with its ancestors, and
 * with all that is below it. `status` announces the number: `data-shown` is its text, with `#` for the number. The Enter key goes
 * to the first item. Without any, the page says so, with a button that clears the field. `textOf` returns the text in which an
 * item is found.
 */
export function setUpListFilter(
  field: HTMLInputElement,
  items: readonly HTMLElement[],
  status: HTMLElement,
  { textOf = textInTree, onFiltered = () => undefined }: { textOf?: (item: HTMLElement) => string; onFiltered?: () => void } = {},
): void {
  const none = document.querySelector<HTMLElement>('.no-matches');
  let texts: Map<HTMLElement, string> | undefined;
  let spelledBy: typeof eastAsian.spell | undefined;
  let announcing: ReturnType<typeof setTimeout> | undefined;
  // Without the ancestors of those that match.
  const listMatches = () => items.filter((item) => !item.hidden && !item.querySelector('li:not([hidden])'));
  field.addEventListener('input', () => whenFolding(field.value, filter));
  function filter(): void {
    if (spelledBy !== eastAsian.spell) texts = new Map(items.map((item) => [item, foldText(textOf(item)).folded]));
    spelledBy = eastAsian.spell;
    const words = wordsOfFilter(field.value);
    for (const item of items) item.hidden = !words.every((word) => texts?.get(item)?.includes(word));
    if (none) none.hidden = items.some((item) => !item.hidden);
    onFiltered();
    clearTimeout(announcing);
    announcing = setTimeout(() => {
      status.textContent = (status.dataset['shown'] ?? '').replace('#', String(listMatches().length));
    }, ANNOUNCED_AFTER);
  }
  field.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Enter' && !isComposing) listMatches()[0]?.querySelector('a')?.focus();
  });
  none?.querySelector('button')?.addEventListener('click', () => {
    field.value = '';
    field.dispatchEvent(new Event('input'));
    field.focus();
  });
}

/** Returns the text of an item with all below it but without numbers, and the names of the items above it. */
function textInTree(item: HTMLElement): string {
  const own = item.cloneNode(true) as HTMLElement;
  for (const count of own.querySelectorAll('.count')) count.remove();
  const names: Array<string | null> = [own.textContent];
  for (let above = item.parentElement?.closest('li'); above; above = above.parentElement?.closest('li'))
    names.push(above.firstElementChild?.textContent ?? '');
  return names.join(' ');
}
