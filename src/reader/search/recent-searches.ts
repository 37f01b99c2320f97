/** Remembers the searches of a reader in the browser. */
import { readPreference, writePreference } from '../browser/preferences.ts';

const KEY = 'searches';
const MAX_SEARCHES = 8;

/** Returns the recent searches, the latest first. */
export function readSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(readPreference(KEY) || '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, MAX_SEARCHES) : [];
  } catch {
    return []; // another program has written to the storage
  }
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
