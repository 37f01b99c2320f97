/** Reads what was purged from a snapshot: records and URLs of media files. */
import { hash } from 'node:crypto';
import { isObjectId } from '../model/ids.ts';
import { createFormerUrls } from './moves.ts';
import { selectTexts, text } from './rows.ts';
import type { Store } from './store.ts';

/** Returns the IDs of the purged records, sorted, and the time (ISO 8601 in UTC) and date (YYYY-MM-DD) of each purge. */
export function purgedIds({ db }: Store): Array<{ id: string; at: string; date: string }> {
  return db
    .prepare(`SELECT key, withdrawn_at FROM withdrawn WHERE key GLOB 'object:*' ORDER BY key`)
    .all()
    .map(({ key, withdrawn_at: at }) => ({
      id: String(key).slice('object:'.length),
      at: String(at),
      date: String(at).slice(0, 10),
    }))
    .filter(({ id }) => isObjectId(id));
}

/** Returns a function that says whether the URL of a media file was purged, under this or a former one. */
export function isWithdrawnUrl(store: Store): (url: string) => boolean {
  const known = new Set(selectTexts(store.db, `SELECT ${text('sha256')} FROM withdrawn_url`));
  const formerUrls = createFormerUrls(store);
  return (url) => known.size > 0 && [url, ...formerUrls(url)].some((one) => known.has(hash('sha256', one)));
}
