/** Decides which URLs of untrusted text may be links. */
import { MAX_URL_LENGTH } from './text/limits.ts';

/** Returns a URL to which a page may link: http or https, and not longer than browsers accept. Undefined for others. */
export function safeExternalUrl(href: string): string | undefined {
  if (href.length > MAX_URL_LENGTH) return undefined;
  const url = URL.parse(href);
  if (url === null) return undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}
