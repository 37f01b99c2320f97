/** Checks that a database has the tables that Microfiche creates, and nothing else that SQLite could run or compute when it is read. */
import { DatabaseSync } from 'node:sqlite';
import { toPrintable } from '../platform/text-lines.ts';
import { readInteger, readText } from './rows.ts';
import { migrationsFrom } from './schema.ts';

/** `pragma_table_list` and `pragma_table_xinfo` of one column. */
interface Column {
  table: string;
  /** 1 if the table is STRICT, so that each column has values of its type only. */
  strict: number;
  column: string;
  type: string;
  /** Position in the primary key, counted from 1; 0 if the column does not belong to it. */
  key: number;
  /** 0 for a stored column; another number for a computed or hidden one. */
  hidden: number;
}

const COLUMNS = `SELECT t.name AS "table", t.strict, x.name AS "column", x.type, x.pk AS "key", x.hidden
  FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS x WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'`;

/** Every table and index, with its SQL. This query runs first: it loads no module and computes no column. Longer SQL is not ours. */
const OBJECTS = `SELECT type, name, iif(octet_length(sql) < 10000, sql, '') AS sql FROM sqlite_schema
  WHERE NOT (type = 'index' AND sql IS NULL AND name GLOB 'sqlite_autoindex_*')`;

/** What the database of a snapshot has. */
interface Tables {
  objects: SchemaObject[];
  columns: Column[];
}

interface SchemaObject {
  type: string;
  name: string;
  sql: string;
}

let expectedTables: Tables | undefined;

/** Returns why Microfiche cannot read the tables of a database; undefined if it can. Additional columns that are stored are allowed. */
export function tablesProblem(db: DatabaseSync): string | undefined {
  expectedTables ??= readExpectedTables();
  const objects = new Map(expectedTables.objects.map((own) => [own.name, own]));
  for (const { type, name, sql } of objectsOf(db)) {
    const own = objects.get(name);
    if (own?.type !== type) return `it has the ${toPrintable(`${type} ${name}`, 100)}, which Microfiche did not create`;
    // The SQL of a table differs if another version of SQLite migrated it, so its columns are compared below.
    if (type === 'index' ? sql !== own.sql : /^(?:CREATE VIRTUAL|$)/i.test(sql))
      return `its ${type} ${name} is not as Microfiche creates it`;
  }
  const existing = Map.groupBy(columnsOf(db), ({ table }) => table);
  const expected = Map.groupBy(expectedTables.columns, ({ table }) => table);
  for (const [table, own] of expected) {
    const columns = existing.get(table) ?? [];
    const [first] = columns;
    if (!first) return `its table ${table} is missing`;
    if (first.strict !== 1) return `its table ${table} takes values of any type`;
    const found = new Map(columns.map((column) => [column.column, column]));
    for (const { column, type, key } of own) {
      const one = found.get(column);
      if (one?.type !== type || one.hidden !== 0) return `its table ${table} has no column ${column} that stores ${type} values`;
      if (one.key !== key) return `its table ${table} has another primary key`;
    }
    const computed = columns.find(({ hidden }) => hidden !== 0);
    if (computed) return `its table ${table} computes the column ${toPrintable(computed.column, 100)}`;
  }
  return undefined;
}

function readExpectedTables(): Tables {
  const db = new DatabaseSync(':memory:');
  try {
    for (const { sql } of migrationsFrom(0)) db.exec(sql);
    return { objects: objectsOf(db), columns: columnsOf(db) };
  } finally {
    db.close();
  }
}

function objectsOf(db: DatabaseSync): SchemaObject[] {
  return db
    .prepare(OBJECTS)
    .all()
    .map((row) => ({ type: readText(row, 'type'), name: readText(row, 'name'), sql: readText(row, 'sql') }));
}

function columnsOf(db: DatabaseSync): Column[] {
  return db
    .prepare(COLUMNS)
    .all()
    .map((row) => ({
      table: readText(row, 'table'),
      strict: readInteger(row, 'strict'),
      column: readText(row, 'column'),
      type: readText(row, 'type'),
      key: readInteger(row, 'key'),
      hidden: readInteger(row, 'hidden'),
    }));
}
