/** Remembers the reader's preferences in the browser; if it denies storage, until the reader leaves the page. */
import { unlessDenied } from './window-storage.ts';

const STORAGE_PREFIX = 'microfiche-';

/** Returns the name of what is remembered of one site, whose top is at `root`: several can be on one host, or one USB drive. */
export const ofSite = (name: string, root: string): string => `${name} ${new URL(root || '.', document.baseURI).pathname}`;

/** Returns the value of a preference, or the empty string. */
export const readPreference = (name: string): string => unlessDenied(() => localStorage.getItem(STORAGE_PREFIX + name)) ?? '';

/** Remembers the value of a preference. */
export function writePreference(name: string, value: string): void {
  unlessDenied(() => localStorage.setItem(STORAGE_PREFIX + name, value));
}

/** Ticks a box unless the reader has turned off what it stands for, and remembers what they choose. */
export function rememberBox(box: HTMLInputElement, name: string): void {
  box.checked = readPreference(name) !== 'off';
  box.addEventListener('change', () => writePreference(name, box.checked ? '' : 'off'));
}

/** Returns the value that a text in JSON has; undefined for any other text. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON
  }
}

/** Returns the list in a stored text; an empty one if another program has written something else to the storage. */
export function parseList(text: string): unknown[] {
  const stored = parseValue(text);
  return Array.isArray(stored) ? stored : [];
}

/** The preference that turns off shortcuts of a single key: `off`, or nothing. */
export const SHORTCUTS = 'shortcuts';
