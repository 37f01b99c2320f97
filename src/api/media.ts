/** Finds media files of a snapshot by their URLs, and sets content types with which browsers run nothing in them. */
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { readBaseUrls, readMediaByUrl } from '../snapshot/read.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import type { Store } from '../snapshot/store.ts';
import { containsWithheldNames } from '../snapshot/withheld-names.ts';
import { findFile, parseFileName } from './request-paths.ts';
import { type FileResponse, weakTag } from './send-file.ts';

/** Images, recordings and plain text, which browsers show without running scripts. */
const DISPLAYED_TYPES = /^(?:image\/(?!svg)[\w.-]+|(?:audio|video)\/[\w.-]+|application\/ogg|text\/(?:plain|vtt))$/;
/** Other types that are sent unchanged, for downloading. */
const DOWNLOADED_TYPES = /^application\/(?:pdf|zip|epub\+zip|rtf|msword|vnd\.[\w.-]+)$/;
/** Text types that browsers run or render. */
const ACTIVE_TEXT = /^text\/|[/+](?:xml|json)$|^application\/(?:javascript|ecmascript|x-javascript)$|^image\/svg/;

/** Returns a content type with which no browser runs or renders a file as a script, a page, SVG or XML. */
export function safeType(mimetype: string | null): string {
  const type = mimetype?.toLowerCase() ?? '';
  if (DISPLAYED_TYPES.test(type) || DOWNLOADED_TYPES.test(type)) return type;
  return ACTIVE_TEXT.test(type) ? 'text/plain' : 'application/octet-stream';
}

/** Returns headers for a media file. With them, browsers run nothing in it even if its content type is wrong. */
export function mediaHeaders(mimetype: string | null): OutgoingHttpHeaders {
  return {
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ...(DISPLAYED_TYPES.test(mimetype?.toLowerCase() ?? '') ? {} : { 'Content-Disposition': 'attachment' }),
  };
}

/** Returns the media file with this path and query at upstream; undefined if it is withheld or not in the snapshot. */
export function findMedia(store: Store, target: string): { file: FileResponse; headers: OutgoingHttpHeaders } | undefined {
  const row = findMediaRow(store, target);
  if (row?.state !== 'stored' || row.path === null) return undefined;
  if (parseFileName(`/${encodeURI(row.path)}`) === undefined) return undefined;
  const found = findFile(store.dir, row.path);
  if (!found || containsWithheldNames(store, join(found.root, found.path), row.mimetype)) return undefined;
  const isIntact = found.stats.size === row.size && /^[0-9a-f]{64}$/.test(row.sha256 ?? '');
  return {
    file: { ...found, type: safeType(row.mimetype), etag: isIntact ? String(row.sha256) : weakTag(found), compress: false },
    headers: mediaHeaders(row.mimetype),
  };
}

/** Finds a file regardless of scheme and query, since records name files with and without them. */
function findMediaRow(store: Store, target: string): StoredMedia | undefined {
  const { authors, catalog } = readBaseUrls(store);
  const pathname = target.replace(/\?.*$/s, '');
  for (const base of new Set([catalog, authors])) {
    const bare = base.replace(/^https?:/, '');
    for (const start of [base, `https:${bare}`, `http:${bare}`]) {
      const row = readMediaByUrl(store, `${start}${target}`) ?? readMediaByUrl(store, `${start}${pathname}`);
      if (row) return row;
    }
  }
  return undefined;
}
