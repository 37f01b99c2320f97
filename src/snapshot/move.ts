/** Changes the URLs in a snapshot after its archive has moved to another host or path, as if it had been harvested there. */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { UserError } from '../model/errors.ts';
import { createUrlMover, splitScheme } from '../model/rewrite-links.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { markForDeletion } from './deletions.ts';
import { MOVES_META_KEY, type Move, readMoves } from './moves.ts';
import { readBaseUrls } from './read.ts';
import { integer, readInteger, selectTexts, text } from './rows.ts';
import { runTransaction, type Store, writeMeta } from './store.ts';
import { createRedactionMarker } from './withdrawn.ts';

/**
 * Returns the move between two base URLs, the first with the scheme that the snapshot has.
 * @throws {UserError} if the snapshot is not of an archive at the first one, or both are the same
 */
export function planMove(store: Store, { from, to }: Move): Move {
  const { authors, catalog } = readBaseUrls(store);
  const [, source] = splitScheme(from);
  const base = [catalog, authors].find((url) => `${splitScheme(url)[1]}/`.startsWith(`${source}/`));
  if (base === undefined) {
    const bases = authors === catalog ? catalog : `${catalog} and ${authors}`;
    throw new UserError(`${store.dir} is of the archive at ${toPrintable(bases)}, not ${from}. Nothing was changed.`);
  }
  if (from === to) throw new UserError(`Both URLs are the same: ${to}. Nothing was changed.`);
  return { from: `${splitScheme(base)[0]}://${source}`, to };
}

/**
 * Changes all URLs that begin with `from`, in one transaction. The requests and responses of earlier harvests stay as they were,
 * and a changed body is marked as redacted, with the checksum of what was received. A move back restores it.
 */
export function moveSnapshot(store: Store, { from, to }: Move, now: string) {
  const { db } = store;
  const move = createUrlMover(from, to);
  db.function('moved', { deterministic: true, directOnly: true }, (text) => (typeof text === 'string' ? move(text) : text));
  const { authors, catalog } = readBaseUrls(store);
  return runTransaction(db, () => {
    const bodies = moveBodies(db, move, now);
    for (const [table, column] of TEXT_COLUMNS) db.exec(`UPDATE ${table} SET ${column} = moved(${column}) ${where(column)}`);
    const media = moveRows(db, 'media');
    for (const table of ['usage', 'download']) moveRows(db, table);
    // The files of rows that did not remain.
    const unused = 'FROM blob WHERE path NOT IN (SELECT path FROM media WHERE path IS NOT NULL)';
    markForDeletion(db, selectTexts(db, `SELECT ${text('path')} ${unused}`));
    db.exec(`DELETE ${unused}`);
    for (const [key, base] of Object.entries({ authors_url: authors, catalog_url: catalog }))
      if (move(base) !== base) writeMeta(db, key, move(base));
    writeMeta(db, MOVES_META_KEY, JSON.stringify([...readMoves(store), { from, to }]));
    return { from, to, authorsUrl: move(authors), catalogUrl: move(catalog), bodies, media };
  });
}

/** Columns with URLs that need not be unique. */
const TEXT_COLUMNS = [
  ['response', 'url'],
  ['response', 'redirects'],
  ['resource', 'cause'],
  ['media', 'cause'],
  ['exchange', 'media'],
  ['run', 'report'],
] as const;

/** SQL: the rows in which a text column has a URL that moves. */
const where = (column: string): string => `WHERE typeof(${column}) = 'text' AND moved(${column}) <> ${column}`;

/** Changes bodies, earlier versions too. Returns the number of those that had such a URL. */
function moveBodies(db: DatabaseSync, move: (text: string) => string, now: string): number {
  const read = db.prepare('SELECT body FROM response WHERE id = ?');
  const update = db.prepare('UPDATE response SET body = ?, sha256 = ? WHERE id = ?');
  const markRedacted = createRedactionMarker(db);
  const unmark = db.prepare('DELETE FROM redaction WHERE response = ? AND received_sha256 = ?');
  let changed = 0;
  for (const { id } of db.prepare(`SELECT ${integer('id')} FROM response ORDER BY 1`).all()) {
    const received = typeof id === 'number' ? read.get(id)?.['body'] : undefined;
    if (typeof id !== 'number' || !(received instanceof Uint8Array)) continue;
    // One character per byte: bodies may have any encoding, and the URLs in them are ASCII.
    const before = Buffer.from(received).toString('latin1');
    const moved = move(before);
    if (moved === before) continue;
    const body = Buffer.from(moved, 'latin1');
    const sha256 = hash('sha256', body);
    update.run(body, sha256, id);
    markRedacted(id, now, received);
    unmark.run(id, sha256);
    changed++;
  }
  return changed;
}

/**
 * Changes the URLs by which a table has its rows. Of two rows that then have the same URL, the one that had it before remains,
 * unless its download failed. Returns the number of rows with such a URL.
 */
function moveRows(db: DatabaseSync, table: string): number {
  // in another table, since the new URL of a row may be the old one of another
  db.exec(`CREATE TEMP TABLE moving AS SELECT * FROM ${table} ${where('url')};
    DELETE FROM ${table} WHERE url IN (SELECT url FROM moving);
    UPDATE moving SET url = moved(url);
    ${table === 'media' ? "DELETE FROM media WHERE state = 'failed' AND url IN (SELECT url FROM moving);" : ''}
    INSERT OR IGNORE INTO ${table} SELECT * FROM moving`);
  const count = readInteger(db.prepare('SELECT count(*) AS count FROM moving').get(), 'count');
  db.exec('DROP TABLE moving');
  return count;
}
