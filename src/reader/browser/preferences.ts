/** Remembers the reader's preferences in the browser; if it denies storage, until the reader leaves the page. */

const STORAGE_PREFIX = 'microfiche-';

/** Returns the name of what is remembered of one site, whose top is at `root`: several can be on one host, or one USB drive. */
export function ofSite(name: string, root: string): string {
  return `${name} ${new URL(root || '.', document.baseURI).pathname}`;
}

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

/** Ticks a box unless the reader has turned off what it stands for, and remembers what they choose. */
export function rememberBox(box: HTMLInputElement, name: string): void {
  box.checked = readPreference(name) !== 'off';
  box.addEventListener('change', () => writePreference(name, box.checked ? '' : 'off'));
}

/** Returns the list in a stored text; an empty one if another program has written something else to the storage. */
export function parseList(text: string): unknown[] {
  try {
    const stored: unknown = JSON.parse(text || '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/** The preference that turns off shortcuts of a single key: `off`, or nothing. */
export const SHORTCUTS = 'shortcuts';
