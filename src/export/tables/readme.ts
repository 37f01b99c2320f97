/** The README of the tables. */
import { describeScope, type ExportScope, publishedContent } from '../scope.ts';
import { wrap } from '../wrap-text.ts';
import { MAX_CELL_LENGTH, type TableInfo } from './table.ts';

/** Returns the README. */
export function tablesReadme(title: string, scope: ExportScope, tables: readonly TableInfo[]): string {
  const width = Math.max(...tables.map(({ name }) => name.length)) + 2;
  return `${title}: tables

${wrap(
  `${publishedContent(scope)}, and nothing else. ${describeScope(scope)} Each table is here as NAME.csv and NAME.parquet, and all of them are in archive.sqlite. The rights of each record are stated in the record (columns rights, rights_url, rights_statement).`,
)}

${tables.map(({ name, description }) => `${name.padEnd(width)}${description}`).join('\n')}

The columns are described in datapackage.json (Frictionless Data Package) and in the schema of archive.sqlite. Tables are joined by ID:
record_id, parent_id, collection_id, article_id and author_id.

In a spreadsheet: import the CSV files as UTF-8, with commas. Text that would begin a formula (=, +, - or @ at its beginning, also after
white space, or after a semicolon) has an apostrophe before it, so that it does no harm. Parquet and SQLite have the text without it.

In DuckDB:

  SELECT r.title, c.name FROM 'records.parquet' r JOIN 'creators.parquet' c ON c.record_id = r.id;

In SQLite, with full text:

  SELECT r.id, r.title FROM records_fts f JOIN records r ON r.rowid = f.rowid WHERE records_fts MATCH 'harbour' ORDER BY rank;

In Datasette:

  datasette archive.sqlite --metadata datasette-metadata.json

Texts of more than ${MAX_CELL_LENGTH.toLocaleString('en-US')} characters are cut. Paths of media files are relative to the snapshot, and to the directory data of a bag of it.
`;
}
