/** Files that a script makes for the reader, who downloads them. */

/** Milliseconds after which a browser has certainly read the file. */
const KEPT_FOR = 60_000;

/** Downloads a text as a file. */
export function offerFile(name: string, type: string, text: string): void {
  offerBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Downloads data as a file. */
export function offerBlob(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR);
}

/** Returns the name of a JSON file of an archive and the day: `prefix-title-2026-01-31.json`. */
export function nameByDay(prefix: string, title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${prefix}-${words.join('-').slice(0, 60)}-${new Date().toISOString().slice(0, 10)}.json`;
}
