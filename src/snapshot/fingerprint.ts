/** The fingerprint of a snapshot: snapshots with the same content have the same one, wherever they were harvested from. */
import { createHash, hash } from 'node:crypto';
import { RECORD_KINDS } from '../model/resources.ts';
import { rewriteLinks } from '../model/rewrite-links.ts';
import { readBaseUrls, readBodies, readMediaRows } from './read.ts';
import type { Store } from './store.ts';

/** Replaces both base URLs, so that it does not matter from where a snapshot was harvested. */
const NEUTRAL_URL = 'http://neutral.invalid';

/**
 * Returns the SHA-256 of the sorted lines `kind name sha256` of the current bodies of authors, guide pages, sources and records,
 * and `media url sha256` of all stored files. Both base URLs are replaced in bodies and URLs first. If the store has a filter,
 * what it withholds does not count. `includesMedia` returns whether a media file counts, by its URL; by default, all do.
 */
export function computeFingerprint(
  store: Store,
  { includesMedia = () => true }: { includesMedia?: (url: string) => boolean } = {},
): string {
  const baseUrls = readBaseUrls(store);
  // One character per byte: bodies may have any encoding, and the URLs in them are ASCII.
  const neutral = (bytes: Uint8Array) => rewriteLinks(Buffer.from(bytes).toString('latin1'), baseUrls, NEUTRAL_URL);
  const lines: string[] = [];
  for (const kind of RECORD_KINDS)
    for (const { name, body } of readBodies(store, kind))
      lines.push(`${kind} ${name} ${hash('sha256', Buffer.from(neutral(body), 'latin1'))}`);
  for (const { url, state, sha256 } of readMediaRows(store))
    if (state === 'stored' && sha256 !== null && includesMedia(url)) lines.push(`media ${neutral(Buffer.from(url))} ${sha256}`);
  const fingerprint = createHash('sha256');
  for (const line of lines.sort()) fingerprint.update(`${line}\n`);
  return fingerprint.digest('hex');
}
