/** Writes the rows of all tables, record by record, into CSV and Parquet files and one database. */
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { readEntryRecord } from '../../catalogue/read/object-entries.ts';
import { readArticle, readAuthor } from '../../model/guide/guide.ts';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { formatLine } from '../../model/text/csv.ts';
import { formatCount, lineIf } from '../../platform/text-lines.ts';
import { readPayload } from '../../snapshot/read.ts';
import type { ExportContext } from '../export-context.ts';
import { createTextFile } from '../text-file.ts';
import { DATABASE_FILE } from './data-package.ts';
import { createFileReader } from './file-lines.ts';
import { FILES, INDEX_POINTS, TRANSCRIPTS } from './files.ts';
import { ARTICLE_TABLES, type ArticleItem, AUTHOR_TABLES } from './guide-tables.ts';
import { CREATORS, FACILITIES, NOTES, PERIODS, PERSONS, PLACES, TOPICS } from './list-members.ts';
import { createParquetFile } from './parquet.ts';
import { RECORDS, type RecordItem } from './records.ts';
import { type ColumnType, MAX_CELL_LENGTH, type RowFile, type Table, type TableInfo, type Value } from './table.ts';

const RECORD_TABLES: ReadonlyArray<Table<RecordItem>> = [
  RECORDS,
  CREATORS,
  PERSONS,
  TOPICS,
  FACILITIES,
  PLACES,
  PERIODS,
  NOTES,
  FILES,
  TRANSCRIPTS,
  INDEX_POINTS,
];
/** All tables, in the order of the descriptions. */
export const TABLES: readonly TableInfo[] = [...RECORD_TABLES, ...AUTHOR_TABLES, ...ARTICLE_TABLES];

/** Records between two turns of other work, such as a signal that stops the export. */
const RECORDS_PER_TURN = 100;

/**
 * Writes all rows into files in `directory`. Returns what a reader should know, as sentences.
 * @throws {Error} of the file system or SQLite, for example if the disk is full.
 */
export async function writeRows(context: ExportContext, directory: string): Promise<string[]> {
  const { catalogue, onProgress } = context;
  using output = openOutput(directory);
  let cutCount = 0;
  const rowsOf = <Item>(tables: ReadonlyArray<Table<Item>>, item: Item): TableRows[] =>
    tables.map((table) => ({ table: table.name, rows: table.readRows(item, () => void cutCount++) }));
  const unreadable = new Set<string>();
  const { objects } = catalogue;
  const total = objects.count();
  const readItem = createItemReader(context, (path) => unreadable.add(path));
  let done = 0;
  const partial: string[] = [];
  for (const entry of objects.sorted()) {
    if (done++ % RECORDS_PER_TURN === 0) {
      onProgress?.(done - 1, total);
      await setImmediate();
    }
    output.write(rowsOfRecord(entry));
  }
  for (const entry of catalogue.authors) {
    const author = readAuthor(readPayload(context.publicStore, 'author', entry.name));
    output.write(rowsOf(AUTHOR_TABLES, { entry, author }));
  }
  for (const item of readArticles(context)) output.write(rowsOf(ARTICLE_TABLES, item));
  output.finish();
  return notesOn({ partial, unreadable: [...unreadable].sort(), cutCount });

  /** A record that cannot be read has a row with its ID alone. */
  function rowsOfRecord(entry: ObjectEntry): TableRows[] {
    try {
      return rowsOf(RECORD_TABLES, readItem(entry));
    } catch {
      partial.push(entry.id);
      return rowsOf(RECORD_TABLES, readItem(entry, parseRecord({ id: entry.id, model: entry.model })));
    }
  }
}

/** Returns a function that reads a record with all that its rows need. `bare` is taken instead of the record in the snapshot. */
function createItemReader(
  { publicStore, catalogue }: ExportContext,
  onUnreadable: (path: string) => void,
): (entry: ObjectEntry, bare?: ArchivalRecord) => RecordItem {
  const models = new Map(Array.from(catalogue.objects.allListed(), ({ id, model }) => [id, model]));
  const known: RecordItem['known'] = (id) => (id !== undefined && models.has(id) ? id : undefined);
  const readFiles = createFileReader(publicStore, models.keys(), onUnreadable);
  return (entry, bare) => {
    const { record, stored } = bare ? { record: bare, stored: undefined } : readEntryRecord(entry, publicStore);
    return {
      entry,
      record,
      receivedAt: stored?.fetchedAt,
      files: readFiles(record),
      known,
      collection: [...entry.ancestors, entry.id].find((id) => models.get(id) === 'collection'),
    };
  };
}

/** Reads the guide pages. An author belongs to a guide page if either of them names the other. */
function* readArticles({ publicStore, catalogue }: ExportContext): Generator<ArticleItem> {
  const records = new Set(catalogue.objects.ids());
  const authors = new Set(catalogue.authors.map(({ slug }) => slug));
  const named = catalogue.authors.flatMap(({ slug, articles }) => articles.map((article) => ({ article, slug })));
  const naming = Map.groupBy(named, ({ article }) => article);
  for (const entry of catalogue.articles) {
    const ofAuthors = (naming.get(entry.slug) ?? []).map(({ slug }) => slug);
    yield {
      entry,
      article: readArticle(readPayload(publicStore, 'article', entry.name)),
      authors: [...new Set([...entry.authors, ...ofAuthors])].filter((slug) => authors.has(slug)),
      records: entry.objects.filter((id) => records.has(id)),
    };
  }
}

interface TableRows {
  table: string;
  rows: Value[][];
}

function openOutput(directory: string): Disposable & { write(tables: readonly TableRows[]): void; finish(): void } {
  const files = new Map(
    TABLES.map((table) => [
      table.name,
      [
        createCsvFile(join(directory, `${table.name}.csv`), table),
        createParquetFile(join(directory, `${table.name}.parquet`), table),
      ],
    ]),
  );
  const database = createTableDatabase(join(directory, DATABASE_FILE), TABLES);
  const all = () => [...[...files.values()].flat(), database];
  return {
    write(tables) {
      for (const { table, rows } of tables)
        for (const row of rows) {
          for (const file of files.get(table) ?? []) file.write(row);
          database.insert(table, row);
        }
    },
    finish() {
      for (const file of all()) file.finish();
    },
    [Symbol.dispose]() {
      for (const file of all()) file.close();
    },
  };
}

/** Creates a CSV file in UTF-8, with a header. */
export function createCsvFile(path: string, { columns }: TableInfo): RowFile {
  const { add, ...file } = createTextFile(path);
  add(formatLine(columns.map(({ name }) => name)));
  return { write: (row) => add(formatLine(row)), ...file };
}

const MAX_NAMED = 10;

function notesOn({ partial, unreadable, cutCount }: { partial: string[]; unreadable: string[]; cutCount: number }): string[] {
  const list = (names: string[]) => `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}`;
  return [
    ...lineIf(partial.length, `Only the IDs of ${formatCount(partial.length, 'record')} could be read: ${list(partial)}.`),
    ...lineIf(
      unreadable.length,
      `${formatCount(unreadable.length, 'transcript')} could not be read: ${list(unreadable)}. Run "microfiche verify".`,
    ),
    ...lineIf(
      cutCount,
      `${formatCount(cutCount, 'text')} of more than ${MAX_CELL_LENGTH.toLocaleString('en-US')} characters ${cutCount === 1 ? 'was' : 'were'} cut.`,
    ),
  ];
}

const SQL_TYPES: Readonly<Record<ColumnType, string>> = { string: 'TEXT', integer: 'INTEGER', number: 'REAL', date: 'TEXT' };

/**
 * Creates the database. Each column has its description in the schema. The same rows in the same order give the same bytes.
 * @throws {Error} of SQLite, for example if the disk is full.
 */
function createTableDatabase(file: string, tables: readonly TableInfo[]) {
  // new: no other program has it open
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false, defensive: false });
  db.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
  const inserts = new Map<string, StatementSync>();
  for (const table of tables) {
    db.exec(createStatement(table));
    const marks = table.columns.map(() => '?').join(', ');
    inserts.set(table.name, db.prepare(`INSERT INTO ${table.name} VALUES (${marks})`));
  }
  return {
    insert: (table: string, row: readonly Value[]) => void inserts.get(table)?.run(...row),
    /** Makes the indexes, and closes the database. */
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
