/** Reads the addresses of media files in records as a browser does. */
import { text } from '../values.ts';

/** A URL that means the same to all programs, and is kept as it is. */
const PLAIN_URL = /^https?:\/\/[!-~]+$/;

/** What is an address, also a relative one: it begins like one, or ends in an extension or a query. Anything else is words. */
const ADDRESS = /^\s*(?:https?:|\.{0,2}[/\\])|\.\d?[a-z][a-z\d]{1,3}\s*(?:[?#]\S*\s*)?$|^\S+\?\S+=\S*$/i;

/**
 * Returns the URL of a media file. `base` is the URL of the record. A value that is not a web address is returned as it is.
 * Undefined if it says that there is none, and for a directory, which upstream names if it has no file (docs/upstream-api.md,
 * “Record links”).
 */
export function readMediaUrl(value: string, base: string | undefined): string | undefined {
  if (!ADDRESS.test(value)) return text(value) === undefined ? undefined : value;
  const url = URL.parse(value, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return value;
  if (url.pathname.endsWith('/') && url.search === '') return undefined;
  return PLAIN_URL.test(value) ? value : url.href;
}
