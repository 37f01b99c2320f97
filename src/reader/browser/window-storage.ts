/** Remembers texts until the window is closed; if the browser denies storage, nothing, so that each page starts over. */

/** Returns the text under a key, or the empty string. */
export const readWindow = (key: string): string => unlessDenied(() => sessionStorage.getItem(key)) ?? '';

/** Forgets the text under a key. */
export function deleteFromWindow(key: string): void {
  unlessDenied(() => sessionStorage.removeItem(key));
}

/** Remembers a text under a key. */
export function writeWindow(key: string, text: string): void {
  unlessDenied(() => sessionStorage.setItem(key, text));
}

/** Returns the result of an action with storage; undefined if the browser denies it. */
export function unlessDenied<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
