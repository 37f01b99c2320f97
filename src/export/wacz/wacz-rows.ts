/** The rows of a snapshot beside its bodies and files, as WARC `metadata` records: failures, uses of files, purges. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { parseJson } from '../../model/json.ts';
import type { ResourceKind } from '../../model/resources.ts';
import { integer, texts } from '../../snapshot/rows.ts';
import type { ExportContext } from '../export-context.ts';
import { isWhole } from '../scope.ts';
import { createWithheldFinder } from '../withheld-words.ts';
import { type IndexedRecord, metadataRecord } from './wacz-container.ts';

/** The kinds of which a restricted package has bodies: lists would name what is left out. */
export const KINDS_OF_PART = ['author', 'article', 'source', 'object'] as const satisfies readonly ResourceKind[];
/** Names the table of a record with rows. */
export const TABLE_FIELD = 'Microfiche-Table';
const ROWS_PER_RECORD = 500;

type Value = string | number | null;
type Cells = Record<string, Value>;

/** A table: its columns, and how an import writes a row. */
interface Table {
  columns: readonly string[];
  /** SQL with a parameter for each column. */
  write: string;
}

/** Columns with integers. All others have texts. */
const NUMBERS: ReadonlySet<string> = new Set(
  'page_limit page_offset attempts status speculative transient missing_since failed_runs'.split(' '),
);
const RESOURCE_FACTS =
  'referrer state attempts status cause transient speculative validators checked_at missing_since failed_since failed_runs'.split(
    ' ',
  );
const RESOURCE_COLUMNS = ['key', 'kind', 'name', 'model', 'page_limit', 'page_offset', ...RESOURCE_FACTS, 'removed_at'];
const MEDIA_FACTS = ['status', 'cause', 'verified'];
const MEDIA_COLUMNS = ['url', 'owner', 'kind', 'state', 'fetched_at', ...MEDIA_FACTS];

const TABLES: Readonly<Record<string, Table>> = {
  usage: insertInto('usage', ['record', 'url', 'kind']),
  withdrawn: insertInto('withdrawn', ['key', 'withdrawn_at', 'reason']),
  withdrawn_url: insertInto('withdrawn_url', ['sha256']),
  resource: {
    columns: RESOURCE_COLUMNS,
    write: `INSERT INTO resource (${RESOURCE_COLUMNS.join(', ')}, run) VALUES (${parameters(RESOURCE_COLUMNS)}, (SELECT max(id) FROM run))
      ON CONFLICT (key) DO UPDATE SET ${assignments([...RESOURCE_FACTS, 'removed_at'])}`,
  },
  media: {
    columns: MEDIA_COLUMNS,
    // A row of a file that is not in the package violates a constraint, and the package is refused.
    write: `INSERT INTO media (${MEDIA_COLUMNS.join(', ')}, path)
      VALUES (${parameters(MEDIA_COLUMNS)}, (SELECT path FROM media WHERE url = ?1))
      ON CONFLICT (url) DO UPDATE SET ${assignments(MEDIA_FACTS)}`,
  },
};

function insertInto(table: string, columns: readonly string[]): Table {
  return { columns, write: `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${parameters(columns)})` };
}

function parameters(columns: readonly string[]): string {
  return columns.map((_, i) => `?${i + 1}`).join(', ');
}

function assignments(columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(', ');
}

/** Yields the rows of all tables. `urls` are those of the media files in the package. */
export function* rowRecords(context: ExportContext, date: string, urls: ReadonlySet<string>): Generator<IndexedRecord> {
  const cellsOf = createCellReader(context, urls);
  for (const [table, { columns }] of Object.entries(TABLES)) {
    const cells = columns.map((column) => (NUMBERS.has(column) ? integer(column) : texts(column)));
    const order = columns.slice(0, 2).map((column) => `${table}.${column}`);
    const rows = context.store.db.prepare(`SELECT ${cells.join(', ')} FROM ${table} ORDER BY ${order.join(', ')}`);
    let part: Value[][] = [];
    let number = 0;
    const record = () => metadataRecord(`rows of ${table} ${number++}`, date, part, [[TABLE_FIELD, table]]);
    for (const row of rows.iterate()) {
      const shown = cellsOf(table, row as Cells);
      if (shown === undefined) continue;
      part.push(columns.map((column) => shown[column] ?? null));
      if (part.length < ROWS_PER_RECORD) continue;
      yield record();
      part = [];
    }
    if (part.length > 0) yield record();
  }
}

/** Returns a function that returns a row without what is withheld; undefined if the package has nothing of it. */
function createCellReader({ store, scope }: ExportContext, urls: ReadonlySet<string>) {
  const isRestricted = !isWhole(scope);
  const isWithheld = createWithheldFinder(store);
  const names = (value: Value | undefined) => isRestricted && typeof value === 'string' && isWithheld(value);
  const clean = (value: Value | undefined) => (names(value) ? null : (value ?? null));
  const hides = (kind: string, name: unknown) => isRestricted && store.filter.hides(kind as ResourceKind, String(name));
  return (table: string, row: Cells): Cells | undefined => {
    if (table === 'usage') return hides('object', row['record']) || names(row['url']) ? undefined : row;
    if (table === 'media') {
      const isLeftOut =
        row['state'] === 'failed' ? hides('object', row['owner']) || names(row['url']) : !urls.has(String(row['url']));
      return isLeftOut ? undefined : { ...row, cause: clean(row['cause']) };
    }
    if (table !== 'resource') return row;
    const kind = String(row['kind']);
    if ((isRestricted && !KINDS_OF_PART.some((each) => each === kind)) || hides(kind, row['name'])) return undefined;
    const validators = isRestricted ? null : (row['validators'] ?? null);
    return { ...row, referrer: clean(row['referrer']), cause: clean(row['cause']), validators };
  };
}

/**
 * Writes the rows of a record. Returns whether they have the form of their table; whether they are valid, the audit of the
 * snapshot says.
 * @throws {Error} of SQLite if a row contradicts the schema.
 */
export function writeRows(db: DatabaseSync, table: string, block: Buffer): boolean {
  const rows = parseJson(block.toString('utf8'));
  const { columns, write } = (Object.hasOwn(TABLES, table) ? TABLES[table] : undefined) ?? {};
  if (!columns || write === undefined || !Array.isArray(rows)) return false;
  const statement = db.prepare(write);
  for (const row of rows as unknown[]) {
    if (!Array.isArray(row) || row.length !== columns.length || !row.every(isValue)) return false;
    statement.run(...(row as SQLInputValue[]));
  }
  return true;
}

const isValue = (value: unknown): boolean => value === null || typeof value === 'string' || Number.isSafeInteger(value);
