/** Removes what is withheld from the rows of a package's database that describe bodies and files: URLs, headers, exchanges, causes, reports. */
import type { DatabaseSync } from 'node:sqlite';
import { type BaseUrls, parseResourceKey, urlOf } from '../model/resources.ts';
import { headersWithoutWithheld, settingWithoutWithheld, type WithheldFinder } from './withheld-words.ts';

/** Removes it from all rows. Bodies, and rows of withheld records, must be removed before. */
export function redactRows(db: DatabaseSync, isWithheld: WithheldFinder, baseUrls: BaseUrls): void {
  redactResponses(db, isWithheld, baseUrls);
  redactExchanges(db, isWithheld);
  for (const [table, columns] of [
    ['resource', ['referrer', 'cause', 'validators']],
    ['media', ['cause']],
  ] as const)
    for (const column of columns) {
      const update = db.prepare(`UPDATE ${table} SET ${column} = NULL WHERE ${column} = ?`);
      for (const value of textsOf(db, table, column)) if (isWithheld(value)) update.run(value);
    }
  const setMeta = db.prepare('UPDATE meta SET value = ? WHERE value = ?');
  for (const value of textsOf(db, 'meta', 'value'))
    if (isWithheld(value)) setMeta.run(settingWithoutWithheld(value, isWithheld), value);
  // Reports name records, and what was not harvested of them.
  db.exec(`UPDATE run SET report = NULL;
    DELETE FROM redaction WHERE response NOT IN (SELECT id FROM response)`);
}

function textsOf(db: DatabaseSync, table: string, column: string): string[] {
  const rows = db.prepare(`SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`).all();
  return rows.map(({ value }) => String(value));
}

function redactResponses(db: DatabaseSync, isWithheld: WithheldFinder, baseUrls: BaseUrls): void {
  const update = db.prepare('UPDATE response SET url = ?, headers = ?, redirects = ? WHERE id = ?');
  const read = db.prepare('SELECT key, url, headers, redirects FROM response WHERE id = ?');
  for (const { id } of db.prepare('SELECT id FROM response').all()) {
    const row = read.get(id as number) as Record<'key' | 'url' | 'headers', string> & { redirects: string | null };
    const { key, url, headers, redirects } = row;
    if (![url, headers, redirects ?? ''].some(isWithheld)) continue;
    const ownUrl = isWithheld(url) ? urlOf(parseResourceKey(key), baseUrls) : url;
    update.run(
      ownUrl,
      headersWithoutWithheld(headers, isWithheld),
      redirects === null || isWithheld(redirects) ? null : redirects,
      id as number,
    );
  }
}

/** Deletes exchanges of what is not there any more, those that name something withheld, and the bodies of redirects, which may say anything. */
function redactExchanges(db: DatabaseSync, isWithheld: WithheldFinder): void {
  db.exec(`DELETE FROM exchange WHERE response IS NOT NULL AND response NOT IN (SELECT id FROM response);
    DELETE FROM exchange WHERE media IS NOT NULL AND media NOT IN (SELECT url FROM media);
    UPDATE exchange SET body = NULL`);
  const read = db.prepare('SELECT response, media, url, request_headers, reason, headers FROM exchange WHERE id = ?');
  const deletion = db.prepare('DELETE FROM exchange WHERE response IS ? AND media IS ?');
  for (const { id } of db.prepare('SELECT id FROM exchange').all()) {
    const row = read.get(id as number);
    if (row === undefined) continue; // deleted with another one
    const { response, media, ...texts } = row;
    if (Object.values(texts).some((text) => isWithheld(String(text))))
      deletion.run(response as number | null, media as string | null);
  }
}
