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
