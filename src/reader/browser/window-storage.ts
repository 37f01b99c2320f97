/** Remembers texts until the window is closed; if the browser denies storage, nothing, so that each page starts over. */

/** Returns the text under a key, or the empty string. */
export function readWindow(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return ''; // the browser denies storage
  }
}

/** Forgets the text under a key. */
export function deleteFromWindow(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // the browser denies storage
  }
}

/** Remembers a text under a key. */
export function writeWindow(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // the browser denies storage
  }
}
