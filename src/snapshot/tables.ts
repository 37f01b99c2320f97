/** The tables of a snapshot as Microfiche makes them: a database with others is not read, since what its columns hold could be anything. */
import { DatabaseSync } from 'node:sqlite';
import { readInteger, readText } from './rows.ts';
import { migrationsFrom } from './schema.ts';

/** `pragma_table_list` and `pragma_table_xinfo` of one column. */
interface Column {
  table: string;
  kind: string;
  strict: number;
  column: string;
  type: string;
  /** Its place in the primary key, from 1; 0 if it is no part of it. */
  key: number;
  hidden: number;
}

const COLUMNS = `SELECT t.name AS "table", t.type AS kind, t.strict, x.name AS "column", x.type, x.pk AS "key", x.hidden
  FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS x WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'`;

let own: Column[] | undefined;

/** What the tables of a database lack that this version of Microfiche reads; undefined if nothing. Further tables and columns do no harm. */
export function tablesProblem(db: DatabaseSync): string | undefined {
  own ??= ownColumns();
  const there = Map.groupBy(columnsOf(db), ({ table }) => table);
  for (const { table, column, type, key } of own) {
    const columns = there.get(table) ?? [];
    const [first] = columns;
    if (!first) return `its table ${table} is missing`;
    if (first.kind !== 'table') return `its table ${table} is a ${first.kind} one`;
    if (first.strict !== 1) return `its table ${table} takes values of any type`;
    if (!columns.some((one) => one.column === column && one.type === type && one.hidden === 0))
      return `its table ${table} has no column ${column} of its own for ${type} values`;
    if (!columns.some((one) => one.column === column && one.key === key)) return `its table ${table} has another primary key`;
  }
  return undefined;
}

function ownColumns(): Column[] {
  const db = new DatabaseSync(':memory:');
  try {
    for (const { sql } of migrationsFrom(0)) db.exec(sql);
    return columnsOf(db);
  } finally {
    db.close();
  }
}

function columnsOf(db: DatabaseSync): Column[] {
  return db
    .prepare(COLUMNS)
    .all()
    .map((row) => ({
      table: readText(row, 'table'),
      kind: readText(row, 'kind'),
      strict: readInteger(row, 'strict'),
      column: readText(row, 'column'),
      type: readText(row, 'type'),
      key: readInteger(row, 'key'),
      hidden: readInteger(row, 'hidden'),
    }));
}
