/** Remembers the searches of a reader in the browser, and shows the recent ones. */
import { toLegible } from '../../model/text/legible.ts';
import { createElement } from '../browser/create-element.ts';
import { ofSite, parseList, readPreference, writePreference } from '../browser/preferences.ts';

const NAME = 'searches';
const MAX_SEARCHES = 8;

/** Returns the recent searches in the site whose top is at `root`, the latest first. */
export function readSearches(root: string): string[] {
  return parseList(readPreference(ofSite(NAME, root)))
    .filter((one) => typeof one === 'string')
    .slice(0, MAX_SEARCHES);
}

/** Adds a search, unless it is empty. A kiosk remembers nothing: the next visitor is someone else. */
export function rememberSearch(words: string, root: string): void {
  const search = words.trim();
  if (search === '' || document.documentElement.dataset['kiosk'] !== undefined) return;
  const others = readSearches(root).filter((other) => other !== search);
  writePreference(ofSite(NAME, root), JSON.stringify([search, ...others].slice(0, MAX_SEARCHES)));
}

/** Deletes all recent searches. */
export function forgetSearches(root: string): void {
  writePreference(ofSite(NAME, root), '[]');
}

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
