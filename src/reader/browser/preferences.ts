/** Remembers the reader's preferences in the browser; if it denies storage, until the reader leaves the page. */

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

/** The preference that turns off shortcuts of a single key: `off`, or nothing. */
export const SHORTCUTS = 'shortcuts';
