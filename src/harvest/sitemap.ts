/** Finds records in the sitemap of an archive's website, as further seeds of `--discover`. */
import type { Client } from '../http/client.ts';
import { FetchError } from '../http/errors.ts';
import { type BaseUrls, isSameHost, objectIdInUrl, type Resource } from '../model/resources.ts';

/** Maximum sitemaps to read: a sitemap may name others. */
const MAX_SITEMAPS = 500;

/** Returns the records that the sitemap of the catalog's host names, each once, as speculative resources; none if it has no sitemap. */
export async function readSitemap(client: Client, baseUrls: BaseUrls, signal: AbortSignal | undefined): Promise<Resource[]> {
  const ids = new Set<string>();
  const urls = new Set([`${baseUrls.catalog}/sitemap.xml`]);
  for (const url of urls) {
    const response = await client.get(url, { maxAttempts: 1, signal }).catch((error: unknown) => {
      if (!(error instanceof FetchError)) throw error;
    });
    for (const [, text = ''] of Buffer.from(response?.body ?? '')
      .toString()
      .matchAll(/<loc>\s*([^<\s]+)\s*<\/loc>/g)) {
      const location = text.replaceAll('&amp;', '&');
      const id = objectIdInUrl(location, baseUrls);
      if (id !== undefined) ids.add(id);
      else if (isSitemap(location, baseUrls) && urls.size < MAX_SITEMAPS) urls.add(location);
    }
  }
  return [...ids].map((name) => ({ kind: 'object', name, speculative: true }));
}

function isSitemap(location: string, { catalog }: BaseUrls): boolean {
  return URL.canParse(location) && location.endsWith('.xml') && isSameHost(new URL(location), new URL(catalog));
}
