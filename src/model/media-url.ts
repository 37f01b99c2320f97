/** Reads the addresses of media files in records as a browser does. */

/** A URL that means the same to all programs, and is kept as it is. */
const PLAIN_URL = /^https?:\/\/[!-~]+$/;

/** What may be a relative address: anything else is words. */
const ADDRESS = /[/.\\]/;

/**
 * Returns the URL of a media file. `base` is the URL of the record. A value that is not a web address is returned as it is. Undefined for a
 * directory, which upstream names if it has no file (docs/upstream-api.md, “Record links”).
 */
export function readMediaUrl(value: string, base: string | undefined): string | undefined {
  const url = ADDRESS.test(value) ? URL.parse(value, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return value;
  if (url.pathname.endsWith('/') && url.search === '') return undefined;
  return PLAIN_URL.test(value) ? value : url.href;
}
