/** The recent searches on the search page. */
import { toLegible } from '../../model/text/legible.ts';
import { readSearches } from './recent-searches.ts';
import { createElement } from './search-elements.ts';

/** Shows the recent searches in the site with its top at `root` in the list of an element, as buttons that repeat them; without any, it is hidden. */
export function showRecent(element: HTMLElement, root: string, onChoose: (words: string) => void): void {
  const searches = readSearches(root);
  element.hidden = searches.length === 0;
  element.querySelector('ul')?.replaceChildren(
    ...searches.map((words) => {
      const button = createElement('button', { type: 'button', className: 'quiet' }, toLegible(words));
      button.addEventListener('click', () => onChoose(words));
      return createElement('li', {}, button);
    }),
  );
}
