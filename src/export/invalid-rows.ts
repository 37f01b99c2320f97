/** Removes damaged rows from the database of a package: they cannot be searched for what is withheld, and Microfiche ignores them. */
import type { DatabaseSync } from 'node:sqlite';
import { EXCHANGE_COLUMNS, exchangeProblem } from '../snapshot/exchanges.ts';
import { bodyProblem, texts } from '../snapshot/rows.ts';

const NO_BYTES = new Uint8Array();

/** Deletes rows with values that their table or Microfiche does not permit, and such values if their column may be empty. Returns how many rows there were. */
export function removeInvalidRows(db: DatabaseSync): number {
  // Later changes to a row must not fail because another of its values violates a constraint.
  db.exec('PRAGMA ignore_check_constraints = ON');
  const tables = db.prepare(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 1 ORDER BY name`).all();
  const mistyped = tables.reduce((total, { name }) => total + removeMistyped(db, String(name)), 0);
  return mistyped + removeInvalidBodies(db) + removeInvalidExchanges(db);
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

function removeInvalidBodies(db: DatabaseSync): number {
  const read = db.prepare(`SELECT ${texts('key', 'url', 'headers')}, fetched_at AS fetchedAt FROM response WHERE id = ?`);
  return removeRows(db, 'response', (id) => bodyProblem({ ...read.get(id), name: '', body: NO_BYTES }) !== undefined);
}

function removeInvalidExchanges(db: DatabaseSync): number {
  const read = db.prepare(`SELECT ${EXCHANGE_COLUMNS} FROM exchange WHERE id = ?`);
  return removeRows(db, 'exchange', (id) => exchangeProblem(read.get(id) ?? {}) !== undefined);
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
