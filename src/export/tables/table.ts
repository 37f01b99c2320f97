/** What a table is: columns with meanings, keys, and how rows are read. CSV, Parquet, SQLite and the Data Package follow it. */
import { toOneLine } from '../../model/text/legible.ts';
import { truncateWords } from '../../model/text/text.ts';

/** The types of columns. A `date` is a day: `1942-03-01`. */
export type ColumnType = 'string' | 'integer' | 'number' | 'date';

/** A cell. Text is never empty. */
export type Value = string | number | null;

/** A column of a table. */
export interface Column {
  name: string;
  type: ColumnType;
  /** One sentence or more, as plain text on one line. */
  description: string;
}

/** What a table contains. */
export interface TableInfo {
  name: string;
  title: string;
  description: string;
  /** Columns that together identify a row. They are never empty. */
  primaryKey: readonly string[];
  foreignKeys: ReadonlyArray<{ column: string; table: string; key: string }>;
  /** Columns for which SQLite gets an index, in addition to the primary key. */
  indexed?: readonly string[];
  /** Columns of the full-text index; without it, the table has none. */
  searched?: readonly string[];
  /** Columns by which Datasette offers to filter. */
  facets?: readonly string[];
  columns: readonly Column[];
}

/** A file that gets rows. */
export interface RowFile {
  write(row: readonly Value[]): void;
  /** Completes and closes the file. */
  finish(): void;
  close(): void;
}

/** A table, and how to read the rows that a record, author or guide page has in it. */
export interface Table<Item> extends TableInfo {
  readRows(item: Item, onCut: () => void): Value[][];
}

/** Columns by name: what each says, how to read its value of a line, and its type if that is not `string`. */
export type ColumnsOf<Line> = Readonly<
  Record<string, readonly [description: string, read: (line: Line) => string | number | undefined, type?: ColumnType]>
>;

/** Maximum characters of a cell; the rest is only in the snapshot. Python's reader of CSV refuses more than 131,072. */
export const MAX_CELL_LENGTH = 100_000;

/** Defines a table. `lines` returns what each row is read from. */
export function defineTable<Item, Line>({
  columns,
  lines,
  ...info
}: Omit<TableInfo, 'columns'> & {
  columns: ColumnsOf<Line>;
  lines: (item: Item) => Iterable<Line>;
}): Table<Item> {
  const all = Object.entries(columns).map(([name, [description, read, type = 'string']]) => ({ name, description, read, type }));
  return {
    ...info,
    columns: all.map(({ name, type, description }) => ({ name, type, description })),
    readRows: (item, onCut) => Array.from(lines(item), (line) => all.map(({ read, type }) => toCell(read(line), type, onCut))),
  };
}

/** Returns a value as a cell of its type: text on one line without illegible characters, or a finite number; null for none. */
function toCell(value: string | number | undefined, type: ColumnType, onCut: () => void): Value {
  if (value === undefined) return null;
  if (type === 'integer') return Number.isSafeInteger(value) ? value : null;
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : null;
  const text = toOneLine(String(value));
  if (text.length <= MAX_CELL_LENGTH) return text === '' ? null : text;
  onCut();
  return truncateWords(text, MAX_CELL_LENGTH);
}

/** Returns values as one cell, such as `eng; jpn`. Each is listed once. */
export const joinValues = (values: readonly string[]): string => [...new Set(values)].filter((value) => value !== '').join('; ');
