/** Counts the media files that were never downloaded because they are on other hosts than the archive's. */
import { readBaseUrls, readMeta } from './read.ts';
import { isWebUrl, text, texts } from './rows.ts';
import type { Store } from './store.ts';

/** In the table `meta`: the kinds of files that the last run of `media` was to download, with spaces. */
export const MEDIA_KINDS_META_KEY = 'media_kinds';

/**
 * Returns the hosts from which nothing was downloaded, with the number of files that shown records name there, the most files
 * first. Leaves out the archive's own hosts, and kinds of files that the last run of `media` was not to download. That run must
 * have written the table `usage`.
 */
export function readFilesElsewhere(store: Store): Array<{ host: string; count: number }> {
  const { db, filter } = store;
  const { authors, catalog } = readBaseUrls(store);
  const hosts = new Set([authors, catalog].map(hostOf));
  const kinds = readMeta(store, MEDIA_KINDS_META_KEY)?.split(' ');
  for (const { url } of db.prepare(`SELECT ${text('url')} FROM media`).iterate()) if (isWebUrl(url)) hosts.add(hostOf(url));
  const elsewhere = new Map<string, Set<string>>();
  const withVideo = new Set<unknown>();
  const uses = db.prepare(`SELECT ${texts('record', 'url', 'kind')} FROM usage ORDER BY url`);
  for (const { record, url, kind } of uses.iterate()) {
    if (!isWebUrl(url) || kinds?.includes(String(kind)) === false || filter?.hides('object', String(record))) continue;
    // One video of a record is downloaded.
    if (kind === 'video' && withVideo.has(record)) continue;
    if (kind === 'video') withVideo.add(record);
    const host = hostOf(url);
    if (hosts.has(host)) continue;
    elsewhere.set(host, (elsewhere.get(host) ?? new Set()).add(url));
  }
  return [...elsewhere].map(([host, urls]) => ({ host, count: urls.size })).sort((a, b) => b.count - a.count);
}

const hostOf = (url: string): string => new URL(url).host;
