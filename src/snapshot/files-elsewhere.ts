/** Counts the media files that were never downloaded because they are on other hosts than the archive's. */
import { isInternalHost } from '../model/internal-host.ts';
import { readBaseUrls } from './read.ts';
import { isWebUrl, text } from './rows.ts';
import type { Store } from './store.ts';

/**
 * Returns the hosts from which nothing was downloaded, with the number of files that shown records name there, the most files first. Leaves out the archive's
 * own hosts, and those of a local network, which are of no use to allow. The last run of `media` must have written the table `usage`.
 */
export function readFilesElsewhere(store: Store): Array<{ host: string; count: number }> {
  const { db, filter } = store;
  const { authors, catalog } = readBaseUrls(store);
  const hosts = new Set([authors, catalog].map(hostOf));
  for (const { url } of db.prepare(`SELECT ${text('url')} FROM media`).iterate()) if (isWebUrl(url)) hosts.add(hostOf(url));
  const elsewhere = new Map<string, Set<string>>();
  for (const { record, url } of db.prepare(`SELECT ${text('record')}, ${text('url')} FROM usage ORDER BY url`).iterate()) {
    if (!isWebUrl(url) || filter?.hides('object', String(record))) continue;
    const host = hostOf(url);
    if (hosts.has(host) || isInternalHost(host)) continue;
    elsewhere.set(host, (elsewhere.get(host) ?? new Set()).add(url));
  }
  return [...elsewhere].map(([host, urls]) => ({ host, count: urls.size })).sort((a, b) => b.count - a.count);
}

function hostOf(url: string): string {
  return new URL(url).host;
}
