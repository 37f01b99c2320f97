/** Remembers the searches of a reader in the browser. */
import { parseList, readPreference, writePreference } from '../browser/preferences.ts';

const KEY = 'searches';
const MAX_SEARCHES = 8;

/** Returns the recent searches, the latest first. */
export function readSearches(): string[] {
  return parseList(readPreference(KEY))
    .filter((one) => typeof one === 'string')
    .slice(0, MAX_SEARCHES);
}

/** Adds a search, unless it is empty. A kiosk remembers nothing: the next visitor is someone else. */
export function rememberSearch(words: string): void {
  const search = words.trim();
  if (search === '' || document.documentElement.dataset['kiosk'] !== undefined) return;
  const others = readSearches().filter((other) => other !== search);
  writePreference(KEY, JSON.stringify([search, ...others].slice(0, MAX_SEARCHES)));
}

/** Deletes all recent searches. */
export function forgetSearches(): void {
  writePreference(KEY, '[]');
}
