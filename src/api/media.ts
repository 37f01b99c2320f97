/** Media of a snapshot at their own paths, so that a mirror can be harvested with its media, and typed so that nothing in them runs in a browser. */
import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { decodeBody } from '../model/json.ts';
import { basesOf, mediaByUrl, type StoredMedia } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { type FileAnswer, tagOf } from './files.ts';
import { fileNameIn, findFile } from './paths.ts';

/** Pictures, recordings and plain text, which browsers show without running anything. */
const SHOWN = /^(?:image\/(?!svg)[\w.-]+|(?:audio|video)\/[\w.-]+|application\/ogg|text\/(?:plain|vtt))$/;
/** Further types that are sent as what they are, to be saved. */
const SAVED = /^application\/(?:pdf|zip|epub\+zip|rtf|msword|vnd\.[\w.-]+)$/;
/** Types that browsers run or render; what they hold is text. */
const ACTIVE_TEXT = /^text\/|[/+](?:xml|json)$|^application\/(?:javascript|ecmascript|x-javascript)$|^image\/svg/;

/** A type that no browser takes for a script, a page, a drawing with scripts, or XML. */
export function safeType(mimetype: string | null): string {
  const type = mimetype?.toLowerCase() ?? '';
  if (SHOWN.test(type) || SAVED.test(type)) return type;
  return ACTIVE_TEXT.test(type) ? 'text/plain' : 'application/octet-stream';
}

/** What stands in every answer with a file of upstream's: even where its type were wrong, nothing in it would run. */
export function mediaHeaders(mimetype: string | null): OutgoingHttpHeaders {
  return {
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ...(SHOWN.test(mimetype?.toLowerCase() ?? '') ? {} : { 'Content-Disposition': 'attachment' }),
  };
}

export interface FoundMedia {
  file: FileAnswer;
  headers: OutgoingHttpHeaders;
}

/** The file that upstream has at this address (path and query, as the request has it); undefined where it is not in the snapshot, or withheld. */
export function findMedia(store: Store, address: string): FoundMedia | undefined {
  const row = rowAt(store, address);
  if (row?.state !== 'stored' || row.path === null) return undefined;
  if (fileNameIn(`/${encodeURI(row.path)}`) === undefined) return undefined;
  const found = findFile(store.dir, row.path);
  if (!found || namesWithheld(store, row, join(found.root, found.path))) return undefined;
  const whole = found.stats.size === row.size && /^[0-9a-f]{64}$/.test(row.sha256 ?? '');
  return {
    file: { ...found, type: safeType(row.mimetype), tag: whole ? String(row.sha256) : tagOf(found), compress: false },
    headers: mediaHeaders(row.mimetype),
  };
}

/** Whether a text has words in it that are withheld: as a file it cannot be handed out. */
function namesWithheld({ view }: Store, { mimetype }: StoredMedia, file: string): boolean {
  if (!view?.redactText || !mimetype?.startsWith('text/')) return false;
  const text = decodeBody(readFileSync(file));
  return view.redactText(text) !== text;
}

/** Records name files by either scheme, with or without a query. */
function rowAt(store: Store, address: string): StoredMedia | undefined {
  const { authors, catalog } = basesOf(store);
  const pathname = address.replace(/\?.*$/s, '');
  for (const base of new Set([catalog, authors])) {
    const bare = base.replace(/^https?:/, '');
    for (const start of [base, `https:${bare}`, `http:${bare}`]) {
      const row = mediaByUrl(store, `${start}${address}`) ?? mediaByUrl(store, `${start}${pathname}`);
      if (row) return row;
    }
  }
  return undefined;
}
