/** Exports the archive's descriptions as tables: CSV, Parquet and SQLite, described by a Data Package. */
import { mkdtempDisposableSync } from 'node:fs';
import { join } from 'node:path';
import { computeFingerprint } from '../../snapshot/fingerprint.ts';
import type { Digest } from '../digest.ts';
import type { ExportContext, PackageReport } from '../export-context.ts';
import { formatIdentity, IDENTITY_FILE } from '../identity.ts';
import type { FileWriter } from '../package/package-writer.ts';
import { describeScope, type ExportScope, publishedContent, wrap } from '../scope.ts';
import { createDataPackage, createDatasetteMetadata, DATABASE_FILE } from './data-package.ts';
import { MAX_CELL_LENGTH, type TableInfo } from './table.ts';
import { TABLES, writeRows } from './write-rows.ts';

const TABLE_FILES = TABLES.flatMap(({ name }) => [`${name}.csv`, `${name}.parquet`]);
const FILES: ReadonlySet<string> = new Set([
  IDENTITY_FILE,
  DATABASE_FILE,
  'datapackage.json',
  'datasette-metadata.json',
  'README.txt',
  ...TABLE_FILES,
]);

/** Returns whether the package has a file with this path. */
export const isTablesFile = (path: string): boolean => FILES.has(path);

/** Writes the tables as a package of their own. */
export async function writeTablesPackage(context: ExportContext, writer: FileWriter, root: string): Promise<PackageReport> {
  const fingerprint = computeFingerprint(context.publicStore);
  const identity = Buffer.from(formatIdentity({ format: 'tables', fingerprint }));
  await writer.add(`${root}${IDENTITY_FILE}`, identity);
  const { files, notes } = await writeTables(context, writer, root);
  const bytes = files.reduce((total, { digest }) => total + digest.size, identity.length);
  return { files: files.length + 1, bytes, fingerprint, notes };
}

/**
 * Writes the tables into a package, below `prefix` (empty, or a path that ends in a slash). They never contain private records or
 * anything that is withheld, not even in a package that has other files with these.
 * @throws {Error} of the file system or SQLite, for example if the disk is full.
 */
export async function writeTables(context: ExportContext, writer: FileWriter, prefix: string) {
  const { catalogue, scope, title } = context;
  const { catalogUrl, harvestedAt } = catalogue.facts;
  using directory = mkdtempDisposableSync(join(writer.workDirectory, 'tables-'));
  const notes = await writeRows(context, directory.path);
  const digests = new Map<string, Digest>();
  for (const name of [...TABLE_FILES, DATABASE_FILE])
    digests.set(name, await writer.add(`${prefix}${name}`, { file: join(directory.path, name) }));
  const input = { title, scope, catalogUrl, harvestedAt, tables: TABLES, digests: new Map(digests) };
  for (const [name, text] of [
    ['datapackage.json', createDataPackage(input)],
    ['datasette-metadata.json', createDatasetteMetadata(input)],
    ['README.txt', tablesReadme(title, scope, TABLES)],
  ] as const)
    digests.set(name, await writer.add(`${prefix}${name}`, Buffer.from(text)));
  return { files: Array.from(digests, ([name, digest]) => ({ path: `${prefix}${name}`, digest })), notes };
}

function tablesReadme(title: string, scope: ExportScope, tables: readonly TableInfo[]): string {
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
