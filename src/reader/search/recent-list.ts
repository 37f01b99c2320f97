/** The recent searches on the search page. */
import { toLegible } from '../../model/text/legible.ts';
import { createElement } from '../browser/create-element.ts';
import { readSearches } from './recent-searches.ts';

/** Shows the recent searches in a site in the list of an element, as buttons that repeat them; without any, it is hidden. */
export function showRecent(element: HTMLElement, root: string, onChoose: (words: string) => void): void {
  const searches = readSearches(root);
  element.hidden = searches.length === 0;
  element.querySelector('ul')?.replaceChildren(
    ...searches.map((words) => {
      const onclick = () => onChoose(words);
      return createElement('li', {}, createElement('button', { type: 'button', className: 'quiet', onclick }, toLegible(words)));
    }),
  );
}
