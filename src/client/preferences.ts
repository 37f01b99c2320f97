/** Remembers the reader's preferences in the browser. If it stores nothing for this page, a preference lasts until the page is left. */

const STORAGE_PREFIX = 'microfiche-';

/** Returns the value of a preference, or the empty string. */
export function readPreference(name: string): string {
  try {
    return localStorage.getItem(STORAGE_PREFIX + name) ?? '';
  } catch {
    return ''; // the browser denies storage
  }
}

/** Remembers the value of a preference. */
export function writePreference(name: string, value: string): void {
  try {
    localStorage.setItem(STORAGE_PREFIX + name, value);
  } catch {
    // the browser denies storage
  }
}
