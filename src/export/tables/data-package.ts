/** Describes the tables for programs: a Data Package (Frictionless), and the metadata of Datasette. */
import { LINE_END } from '../../model/text/csv.ts';
import type { Digest } from '../digest.ts';
import { describeScope, type ExportScope, publishedContent } from '../scope.ts';
import type { TableInfo } from './table.ts';

/** What the descriptions need. */
export interface DescriptionInput {
  title: string;
  scope: ExportScope;
  catalogUrl: string;
  /** ISO 8601 in UTC; undefined if the snapshot was never harvested. */
  harvestedAt: string | undefined;
  tables: readonly TableInfo[];
  /** Digests of the files, by their names. */
  digests: ReadonlyMap<string, Digest>;
}

/** Name of the database. */
export const DATABASE_FILE = 'archive.sqlite';

/** What a description of any data says of rights. */
export const RIGHTS = 'The rights of each record are stated in the record.';
/** What CSV files have before texts that a spreadsheet would take for formulas. */
export const FORMULAS =
  'In the CSV files, an apostrophe is put before each =, +, - or @ with which a text begins, also after white space, or which follows a semicolon, so that no spreadsheet takes the text for a formula; Parquet and SQLite have the texts unchanged.';

/** Returns the content of `datapackage.json`: each CSV file with its schema, then the Parquet files and the database. */
export function createDataPackage({ title, scope, catalogUrl, harvestedAt, tables, digests }: DescriptionInput): string {
  const fileOf = (path: string) => {
    const digest = digests.get(path);
    return { path, bytes: digest?.size, hash: `sha256:${digest?.checksums.sha256}` };
  };
  const dataPackage = {
    profile: 'data-package',
    name: 'archive-tables',
    title: `Tables of ${title}`,
    description: [`${publishedContent(scope)}, as tables that are joined by ID.`, describeScope(scope), RIGHTS, FORMULAS]
      .filter((sentence) => sentence !== '')
      .join(' '),
    ...(harvestedAt === undefined ? {} : { created: harvestedAt }),
    sources: [{ title, path: catalogUrl }],
    resources: [
      ...tables.map((table) => ({
        ...describeTable(table),
        ...fileOf(`${table.name}.csv`),
      })),
      ...tables.map((table) => ({
        profile: 'data-resource',
        name: `${table.name.replaceAll('_', '-')}-parquet`,
        title: `${table.title} (Parquet)`,
        description: `The same rows as ${table.name}.csv.`,
        ...fileOf(`${table.name}.parquet`),
        format: 'parquet',
        mediatype: 'application/vnd.apache.parquet',
      })),
      {
        profile: 'data-resource',
        name: 'archive-sqlite',
        title: 'All tables (SQLite)',
        description: 'All tables in one database, with full-text indexes.',
        ...fileOf(DATABASE_FILE),
        format: 'sqlite',
        mediatype: 'application/vnd.sqlite3',
      },
    ],
  };
  return `${JSON.stringify(dataPackage, undefined, 1)}\n`;
}

/** Returns the description of a CSV file with a table, without its path. */
export const describeTable = (table: TableInfo) => ({
  profile: 'tabular-data-resource',
  name: table.name.replaceAll('_', '-'),
  title: table.title,
  description: table.description,
  format: 'csv',
  mediatype: 'text/csv',
  encoding: 'utf-8',
  dialect: { delimiter: ',', quoteChar: '"', doubleQuote: true, lineTerminator: LINE_END, header: true },
  schema: createSchema(table),
});

function createSchema({ columns, primaryKey, foreignKeys, name }: TableInfo): Record<string, unknown> {
  return {
    fields: columns.map((column) => ({
      name: column.name,
      type: column.type,
      description: column.description,
      ...(primaryKey.includes(column.name) ? { constraints: { required: true } } : {}),
    })),
    missingValues: [''],
    primaryKey,
    ...(foreignKeys.length === 0
      ? {}
      : {
          foreignKeys: foreignKeys.map(({ column, table, key }) => ({
            fields: column,
            // A reference to the own table has no name.
            reference: { resource: table === name ? '' : table.replaceAll('_', '-'), fields: key },
          })),
        }),
  };
}

/** Returns the metadata for Datasette, which shows the descriptions and offers filters. */
export function createDatasetteMetadata({ title, catalogUrl, tables }: DescriptionInput): string {
  const metadata = {
    title,
    description: `Everything that the archive publishes. ${RIGHTS}`,
    source: title,
    source_url: catalogUrl,
    databases: {
      archive: {
        tables: Object.fromEntries(
          tables.map(({ name, title: label, description, columns, facets }) => [
            name,
            {
              title: label,
              description,
              columns: Object.fromEntries(columns.map((column) => [column.name, column.description])),
              ...(facets === undefined ? {} : { facets }),
              ...(columns.some((column) => column.name === 'title') ? { label_column: 'title' } : {}),
            },
          ]),
        ),
      },
    },
  };
  return `${JSON.stringify(metadata, undefined, 1)}\n`;
}
