/** Writes the snapshot's database for a package: the same bytes each time, and without what the archive withholds. */
import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { VisibleStore } from '../catalogue/read/visible-store.ts';
import { COLLECTIONS_META_KEY } from '../harvest/previous-harvest.ts';
import { decodeBody, parseJson } from '../model/json.ts';
import { type BaseUrls, parseResourceKey, urlOf } from '../model/resources.ts';
import { formatCount, lineIf } from '../platform/text-lines.ts';
import { UNFINISHED_PURGE_META_KEY } from '../snapshot/deletions.ts';
import { EXCHANGE_COLUMNS, exchangeProblem } from '../snapshot/exchanges.ts';
import { readBaseUrls } from '../snapshot/read.ts';
import { bodyProblem, selectTexts, texts } from '../snapshot/rows.ts';
import { runTransaction, writeMeta } from '../snapshot/store.ts';
import { createRedactionMarker, createWithdrawnResources, type WithdrawnResources } from '../snapshot/withdrawn.ts';
import { readPackagedLists, WITHHELD_META_KEY } from '../snapshot/withheld-file.ts';
import { type PortableMedia, readPortableMedia } from './portable-media.ts';
import { type ExportScope, isWhole } from './scope.ts';
import { createWithheldFinder, headersWithoutWithheld, settingWithoutWithheld, type WithheldFinder } from './withheld-words.ts';

/**
 * Writes the database to `file`. If the scope is not the whole snapshot, the records, versions, list entries and media rows that
 * the store does not show are deleted from it, and damaged rows, which cannot be searched for what is withheld. Returns the media
 * rows that remain, and what a reader should know, as sentences.
 * @throws {Error} of SQLite, for example if the disk is full.
 */
export function writePortableDatabase(
  store: VisibleStore,
  file: string,
  scope: ExportScope,
): { media: PortableMedia[]; notes: string[] } {
  store.db.prepare('VACUUM INTO ?').run(file);
  // The file is new, and no other program has it open. Rows of a damaged snapshot may refer to any other row.
  using db = new DatabaseSync(file, { defensive: false, enableForeignKeyConstraints: false });
  let invalid = 0;
  db.exec('PRAGMA journal_mode = OFF; PRAGMA secure_delete = ON');
  const media = readPortableMedia(store);
  runTransaction(db, () => {
    db.exec('DELETE FROM download; DELETE FROM orphan_file');
    db.prepare('DELETE FROM meta WHERE key = ?').run(UNFINISHED_PURGE_META_KEY); // the package has nothing of it
    if (scope.collections) writeMeta(db, COLLECTIONS_META_KEY, JSON.stringify(scope.collections));
    if (!isWhole(scope)) {
      invalid = removeInvalidRows(db);
      restrict(db, store, media);
    }
    const { key, entries } = scope.withheld ?? { key: '', entries: [] };
    const ofOthers = readPackagedLists(store).filter((list) => list.key !== key);
    if (entries.length > 0) writeMeta(db, WITHHELD_META_KEY, JSON.stringify([...ofOthers, { key, entries }]));
  });
  db.exec('VACUUM');
  // VACUUM counts it up, so that it would depend on the history of the file.
  db.exec('PRAGMA schema_version = 1');
  const note = `${formatCount(invalid, 'row')} of the database ${invalid === 1 ? 'is' : 'are'} damaged, and not in the bag.`;
  return { media, notes: lineIf(invalid, note) };
}

function restrict(db: DatabaseSync, store: VisibleStore, media: readonly PortableMedia[]): void {
  const { filter } = store;
  const hidden = new Set(
    selectTexts(db, 'SELECT key FROM resource UNION SELECT key FROM response').filter((key) => {
      const { kind, name } = parseResourceKey(key);
      return filter.hides(kind, name);
    }),
  );
  const deletions = ['resource', 'response'].map((table) => db.prepare(`DELETE FROM ${table} WHERE key = ?`));
  for (const key of hidden) for (const deletion of deletions) deletion.run(key);
  redactBodies(db, store, createWithdrawnResources(hidden, readBaseUrls(store)));
  renameMedia(db, media);
  deleteMedia(db, new Set(media.map(({ url }) => url)));
  redactRows(db, createWithheldFinder(store), readBaseUrls(store));
  db.exec('UPDATE resource SET response = NULL WHERE response NOT IN (SELECT id FROM response)');
}

/** Removes what is withheld from every version of every body. */
function redactBodies(db: DatabaseSync, { filter }: VisibleStore, withdrawn: WithdrawnResources): void {
  const ids = db.prepare('SELECT id FROM response ORDER BY id').all();
  const read = db.prepare('SELECT key, fetched_at, headers, body FROM response WHERE id = ?');
  const update = db.prepare('UPDATE response SET body = ?, sha256 = ?, headers = ? WHERE id = ?');
  const forgetValidators = db.prepare('UPDATE resource SET validators = NULL WHERE key = ?');
  const markRedacted = createRedactionMarker(db);
  // They are of the body that was received.
  const deleteExchanges = db.prepare('DELETE FROM exchange WHERE response = ?');
  for (const { id } of ids) {
    const row = read.get(id as number) as { key: string; fetched_at: string; headers: string; body: Uint8Array };
    const { kind, name } = parseResourceKey(row.key);
    const stored = { body: row.body, headers: JSON.parse(row.headers) as Record<string, string> };
    let shown: typeof stored = withdrawn.redact(kind, stored) ?? stored;
    const text = decodeBody(shown.body, shown.headers['content-type']);
    if (filter.mayConcern(kind, name, text)) {
      const payload = parseJson(text);
      const redacted = filter.redact(kind, name, payload);
      if (redacted !== payload)
        shown = { body: Buffer.from(JSON.stringify(redacted)), headers: { 'content-type': 'application/json' } };
    }
    if (shown === stored) continue;
    markRedacted(id as number, row.fetched_at, row.body);
    update.run(shown.body, hash('sha256', shown.body), JSON.stringify(shown.headers), id as number);
    forgetValidators.run(row.key);
    deleteExchanges.run(id as number);
  }
}

/** Files that are named after a withheld record get other names, and other owners. */
function renameMedia(db: DatabaseSync, media: readonly PortableMedia[]): void {
  const setOwner = db.prepare('UPDATE media SET owner = ?1 WHERE url = ?2 AND owner <> ?1');
  const setPath = ['blob', 'media'].map((table) => db.prepare(`UPDATE ${table} SET path = ? WHERE path = ?`));
  for (const { url, owner, path, source } of media) {
    setOwner.run(owner, url);
    if (path !== source) for (const statement of setPath) statement.run(path, source);
  }
}

function deleteMedia(db: DatabaseSync, urls: ReadonlySet<string>): void {
  const deleteRow = db.prepare('DELETE FROM media WHERE url = ?');
  const leftOut = selectTexts(db, 'SELECT url FROM media').filter((url) => !urls.has(url));
  for (const url of leftOut) deleteRow.run(url);
  db.exec(`DELETE FROM blob WHERE path NOT IN (SELECT path FROM media WHERE path IS NOT NULL);
    DELETE FROM usage WHERE record NOT IN (SELECT name FROM resource WHERE kind = 'object')`);
  const deleteUse = db.prepare('DELETE FROM usage WHERE url = ?');
  for (const url of leftOut) deleteUse.run(url);
}

const NO_BYTES = new Uint8Array();

/** Deletes rows with values that their table or Microfiche forbids, and such values in optional columns. Returns the number. */
function removeInvalidRows(db: DatabaseSync): number {
  // Later changes to a row must not fail because another of its values violates a constraint.
  db.exec('PRAGMA ignore_check_constraints = ON');
  const tables = db.prepare(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 1 ORDER BY name`).all();
  const mistyped = tables.reduce((total, { name }) => total + removeMistyped(db, String(name)), 0);
  const body = db.prepare(`SELECT ${texts('key', 'url', 'headers')}, fetched_at AS fetchedAt FROM response WHERE id = ?`);
  const exchange = db.prepare(`SELECT ${EXCHANGE_COLUMNS} FROM exchange WHERE id = ?`);
  return (
    mistyped +
    removeRows(db, 'response', (id) => bodyProblem({ ...body.get(id), name: '', body: NO_BYTES }) !== undefined) +
    removeRows(db, 'exchange', (id) => exchangeProblem(exchange.get(id) ?? {}) !== undefined)
  );
}

/** A value of another type than its column stays unnoticed until its row is changed; then SQLite refuses the change. */
function removeMistyped(db: DatabaseSync, table: string): number {
  const columns = db
    .prepare('SELECT name, lower(type) AS type, "notnull" = 1 OR pk > 0 AS needed FROM pragma_table_info(?)')
    .all(table)
    .map(({ name, type, needed }) => ({ name: `"${String(name)}"`, type: String(type), needed: needed === 1 }));
  const isWrong = ({ name, type }: { name: string; type: string }) => `typeof(${name}) NOT IN ('${type}', 'null')`;
  const needed = columns.filter((column) => column.needed);
  const others = columns.filter((column) => !column.needed);
  const change = (sql: string) => Number(db.prepare(sql).run().changes);
  let rows = 0;
  if (needed.length > 0)
    rows += change(`DELETE FROM ${table} WHERE ${needed.map((one) => `${isWrong(one)} OR ${one.name} IS NULL`).join(' OR ')}`);
  if (others.length > 0)
    rows += change(
      `UPDATE ${table} SET ${others.map((one) => `${one.name} = iif(${isWrong(one)}, NULL, ${one.name})`).join(', ')}
        WHERE ${others.map(isWrong).join(' OR ')}`,
    );
  return rows;
}

function removeRows(db: DatabaseSync, table: 'response' | 'exchange', isInvalid: (id: bigint) => boolean): number {
  const list = db.prepare(`SELECT id FROM ${table} ORDER BY id`);
  list.setReadBigInts(true);
  const ids = list.all().map(({ id }) => id as bigint);
  const deletion = db.prepare(`DELETE FROM ${table} WHERE id = ?`);
  const invalid = ids.filter(isInvalid);
  for (const id of invalid) deletion.run(id);
  return invalid.length;
}

/** Removes it from all rows. Bodies, and rows of withheld records, must be removed before. */
function redactRows(db: DatabaseSync, isWithheld: WithheldFinder, baseUrls: BaseUrls): void {
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
  return selectTexts(db, `SELECT DISTINCT ${column} FROM ${table} WHERE ${column} IS NOT NULL`);
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

/** Deletes exchanges of what is gone, those that name something withheld, and bodies of redirects, which may say anything. */
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
