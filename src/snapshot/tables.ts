/** Checks that a database has the tables that Microfiche creates. Otherwise its columns could contain anything, so it is not read. */
import { DatabaseSync } from 'node:sqlite';
import { readInteger, readText } from './rows.ts';
import { migrationsFrom } from './schema.ts';

/** `pragma_table_list` and `pragma_table_xinfo` of one column. */
interface Column {
  table: string;
  /** Type of the table: `table`, `view`, `virtual` or `shadow`. */
  kind: string;
  /** 1 if the table is STRICT, so that each column has values of its type only. */
  strict: number;
  column: string;
  type: string;
  /** Position in the primary key, counted from 1; 0 if the column does not belong to it. */
  key: number;
  /** 0 for a stored column; another number for a computed or hidden one. */
  hidden: number;
}

const COLUMNS = `SELECT t.name AS "table", t.type AS kind, t.strict, x.name AS "column", x.type, x.pk AS "key", x.hidden
  FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS x WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'`;

let expectedColumns: Column[] | undefined;

/** Returns which table of a database Microfiche cannot read, and why; undefined if it can read all. Additional tables and columns are allowed. */
export function tablesProblem(db: DatabaseSync): string | undefined {
  expectedColumns ??= listExpectedColumns();
  const existing = Map.groupBy(columnsOf(db), ({ table }) => table);
  for (const { table, column, type, key } of expectedColumns) {
    const columns = existing.get(table) ?? [];
    const [first] = columns;
    if (!first) return `its table ${table} is missing`;
    if (first.kind !== 'table') return `its table ${table} has the type ${first.kind}`;
    if (first.strict !== 1) return `its table ${table} takes values of any type`;
    if (!columns.some((one) => one.column === column && one.type === type && one.hidden === 0))
      return `its table ${table} has no column ${column} that stores ${type} values`;
    if (!columns.some((one) => one.column === column && one.key === key)) return `its table ${table} has another primary key`;
  }
  return undefined;
}

function listExpectedColumns(): Column[] {
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
