/** Remembers the searches of a reader in the browser. */
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
