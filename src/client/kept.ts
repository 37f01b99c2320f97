/** Remembers the reader's preferences in the browser. If it stores nothing for this page, a preference lasts until the page is left. */

const PREFIX = 'microfiche-';

/** Returns the value of a preference, or the empty string. */
export function kept(name: string): string {
  try {
    return localStorage.getItem(PREFIX + name) ?? '';
  } catch {
    return ''; // the browser denies storage
  }
}

/** Remembers the value of a preference. */
export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // the browser denies storage
  }
}
