/** Writes all tables into one SQLite database with full text (FTS5), for Datasette and other readers of SQLite. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ColumnType, TableInfo, Value } from './table.ts';

/** A database that gets rows. */
export interface TableDatabase {
  insert(table: string, row: readonly Value[]): void;
  /** Makes the indexes, and closes the database. */
  finish(): void;
  /** Closes the database if it is open. */
  close(): void;
}

const SQL_TYPES: Readonly<Record<ColumnType, string>> = { string: 'TEXT', integer: 'INTEGER', number: 'REAL', date: 'TEXT' };

/**
 * Creates the database. Each column has its description in the schema. The same rows in the same order give the same bytes.
 * @throws {Error} of SQLite, for example if the disk is full.
 */
export function createTableDatabase(file: string, tables: readonly TableInfo[]): TableDatabase {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false, defensive: false }); // new: no other program has it open
  db.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
  const inserts = new Map<string, StatementSync>();
  for (const table of tables) {
    db.exec(createStatement(table));
    const marks = table.columns.map(() => '?').join(', ');
    inserts.set(table.name, db.prepare(`INSERT INTO ${table.name} VALUES (${marks})`));
  }
  return {
    insert: (table, row) => void inserts.get(table)?.run(...row),
    finish() {
      for (const table of tables) db.exec(indexStatements(table));
      db.exec('COMMIT');
      db.close();
    },
    close() {
      if (db.isOpen) db.close();
    },
  };
}

/** Names of tables and columns are ours, and need no quotes but for words of SQL. */
const quote = (name: string) => `"${name}"`;

function createStatement({ name, columns, primaryKey, foreignKeys, description }: TableInfo): string {
  const lines = columns.map((column) => ({
    sql: `${quote(column.name)} ${SQL_TYPES[column.type]}${primaryKey.includes(column.name) ? ' NOT NULL' : ''}`,
    comment: column.description,
  }));
  const constraints = [
    `PRIMARY KEY (${primaryKey.map(quote).join(', ')})`,
    ...foreignKeys.map(({ column, table, key }) => `FOREIGN KEY (${quote(column)}) REFERENCES ${table} (${quote(key)})`),
  ];
  return `CREATE TABLE ${name} ( -- ${description}
${lines.map(({ sql, comment }) => `  ${sql}, -- ${comment}`).join('\n')}
  ${constraints.join(',\n  ')}
)`;
}

/** The full-text index refers to the rows of its table, so that Datasette finds it. It ignores case and diacritics. */
function indexStatements({ name, indexed = [], searched = [] }: TableInfo): string {
  const indexes = indexed.map((column) => `CREATE INDEX ${name}_${column} ON ${name} (${quote(column)});`);
  if (searched.length === 0) return indexes.join('\n');
  return `${indexes.join('\n')}
CREATE VIRTUAL TABLE ${name}_fts USING fts5(${searched.map(quote).join(', ')}, content="${name}", tokenize="unicode61 remove_diacritics 2");
INSERT INTO ${name}_fts (${name}_fts) VALUES ('rebuild');
INSERT INTO ${name}_fts (${name}_fts) VALUES ('optimize');`;
}
