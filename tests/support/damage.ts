/** Damages a snapshot as an attacker could: any cell of any table, and links instead of its files. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import type { CanaryServer, TestGround } from './canaries.ts';

/** A value of a cell. */
type Cell = string | number | bigint | Uint8Array | null;

/** Damage to one cell. The numbers select the column, the row and the value. */
export interface CellDamage {
  place: number;
  row: number;
  value: number;
}

/** A link instead of a file or directory. The numbers select its path and its target. */
export interface LinkDamage {
  place: number;
  target: number;
}

/** All damage to one snapshot. */
export interface Damage {
  cells: CellDamage[];
  links: LinkDamage[];
  /** Whether the schema is restored after the column types were removed for the damage. */
  disguised: boolean;
}

const number = fc.nat(1_000_000);

/** Generates random damage. It has few links, since most of them stop a command immediately. */
export const damages: fc.Arbitrary<Damage> = fc.record({
  cells: fc.array(fc.record({ place: number, row: number, value: number }), { minLength: 2, maxLength: 7 }),
  links: fc.oneof(
    { weight: 2, arbitrary: fc.constant<LinkDamage[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.record({ place: number, target: number }), { minLength: 1, maxLength: 2 }) },
  ),
  disguised: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

const TABLES: Readonly<Record<string, readonly string[]>> = {
  meta: ['key', 'value'],
  run: ['started_at', 'finished_at', 'report'],
  resource: [
    ...['key', 'kind', 'name', 'model', 'page_limit', 'page_offset', 'referrer', 'state', 'run', 'attempts', 'status', 'cause'],
    ...[
      'response',
      'speculative',
      'validators',
      'checked_at',
      'missing_since',
      'removed_at',
      'transient',
      'failed_since',
      'failed_runs',
    ],
  ],
  response: [...['key', 'url', 'fetched_at', 'status', 'headers', 'sha256', 'body', 'run', 'redirects']],
  blob: ['path', 'sha256', 'size', 'mimetype'],
  media: ['url', 'owner', 'kind', 'state', 'path', 'fetched_at', 'status', 'cause', 'verified'],
  usage: ['record', 'url', 'kind'],
  download: ['url', 'path', 'validator', 'total', 'durable', 'sha256'],
  orphan_file: ['path'],
  withdrawn: ['key', 'withdrawn_at', 'reason'],
  withdrawn_url: ['sha256'],
  exchange: [
    ...['response', 'media', 'position', 'method', 'url', 'sent_at', 'request_headers', 'status', 'reason', 'headers', 'body'],
  ],
  redaction: ['response', 'redacted_at', 'received_sha256'],
};

/** All columns. Those of tables that contain paths and URLs occur twice, so that they are damaged more often. */
const COLUMNS: ReadonlyArray<readonly [table: string, column: string]> = Object.entries(TABLES).flatMap(([table, columns]) => {
  const pairs = columns.map((column) => [table, column] as const);
  return ['meta', 'blob', 'media', 'download', 'orphan_file'].includes(table) ? [...pairs, ...pairs] : pairs;
});

/** Returns values that no column expects: outside paths, hosts that are not allowed, and values that break careless readers. */
export function hostileValues({ canaries, top, directory }: TestGround, server: CanaryServer, upstream: string): Cell[] {
  const [canary = ''] = canaries;
  const urls = server.urls.map((url) => `${url}/a.jpg`);
  const asBody = (value: unknown) => Buffer.from(JSON.stringify(value));
  const links = { img: urls[0], thumb: urls[1], download: urls[2], json: urls[3], html: `file://${canary}`, children: urls[4] };
  return [
    ...['../canary.txt', '../../canary.txt', 'media/../../canary.txt', 'media/demo-org-1/../../../canary.txt', 'media/..', '..'],
    ...[
      canary,
      `${top}/home/.ssh/id_rsa`,
      `${directory}/index.html`,
      `media/${canary}`,
      'media/a/b\0.txt',
      'media\\..\\..\\canary.txt',
    ],
    ...['C:/canary.txt', 'quarantine/../../canary.txt', 'media/demo-org-1/', 'snapshot.sqlite', 'media/demo-org-1/CON', '/'],
    `media/demo-org-1/${'x'.repeat(5000)}`,
    'x'.repeat(1_000_000),
    '['.repeat(100_000),
    ...urls,
    `${upstream}/redirect`,
    ...server.urls,
    ...[`file://${canary}`, 'javascript:alert(1)', 'data:text/html,x', 'http://', 'http://[', 'https://user:pass@127.0.0.1:1/'],
    ...['not JSON', '{', '[]', '{}', 'null', '0', '"x"', '{"content-type":5}', '{"content-type":"text/html; charset=nonsense"}'],
    ...[
      '{"__proto__":{"x":1}}',
      '{"incompleteLists":7,"failures":{}}',
      '{"incompleteLists":[null],"failures":["x"]}',
      '["sha256",7]',
    ],
    `{"if-none-match":"a\\r\\nHost: 127.0.0.1:${server.port}"}`,
    ...['\u202eright to left', '\u001b[31mred\u0007', '\n  at f (x.ts:1:1)', '\u0000', '\ud800', ''],
    ...['demo-org-1/../../x', 'object:../../x', '../../../x', 'demo-org-1-1/../demo-org-1-2', '__proto__', 'constructor'],
    ...['object', 'children', 'files', 'source', 'stored', 'failed', 'quarantined', 'queued', 'html', 'image', 'transcript'],
    ...['9999-99-99T99:99:99Z', '+275760-09-13T00:00:01Z', '2026-01-01T00:00:00Z', 'text/html', 'image/svg+xml', '0'.repeat(64)],
    ...[0, -1, 1, 2 ** 53, 1e308, Number.POSITIVE_INFINITY, 0.5, null],
    ...[2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)],
    ...[Buffer.alloc(0), Buffer.from([0xff, 0xfe, 0x00]), Buffer.from('../canary.txt'), Buffer.alloc(200_000, '[')],
    asBody({ id: '../../x', model: 'entity', title: 'x', links }),
    asBody({ id: 'demo-org-1-1', model: 'entity', title: ['x'], links, format: 'img', signature_id: '../x' }),
    asBody({
      id: 'demo-org-1-2',
      model: 'segment',
      links,
      ia_meta: { id: '../x', files: { mp4: { url: urls[0], size: 2 ** 60 } } },
    }),
    asBody({ total: 1e300, next_offset: -1, objects: [{ id: '../x', links }, null, { id: 'demo-org-1-1/..' }] }),
    asBody([links]),
  ];
}

/** Returns the possible targets of links. */
function listLinkTargets({ canaries, directory, fifo }: TestGround): string[] {
  const chosen = canaries.filter((file) => /(?:canary\.txt|canary\.jpg|archive\.json|1\.image\.jpg|canary\.json)$/.test(file));
  return [...chosen, directory, directory, fifo, join(directory, 'nowhere')];
}

/** Returns the paths at which a link may be created: those of existing files, and others. */
function linkPaths({ snapshot }: TestGround): string[] {
  const files = ['media', 'quarantine'].flatMap((name) => (isDirectory(join(snapshot, name)) ? filesOf(snapshot, name) : []));
  return [
    ...files,
    ...files,
    ...['media', 'media/demo-org-1', 'quarantine', 'quarantine/demo-org-1', 'report.txt', 'report.txt.new', 'archive.json'],
    ...['lock.sqlite', 'lock.sqlite-journal', 'snapshot.sqlite', 'snapshot.sqlite-wal', 'snapshot.sqlite-shm'],
    ...['snapshot.sqlite-journal', 'objects', 'media/demo-org-1/demo-org-1-1.image.jpg.part'],
  ];
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns whether a directory and its ancestors are real directories, or do not exist. */
function isReal(top: string, directory: string): boolean {
  return (
    directory === '.' ||
    (isReal(top, dirname(directory)) &&
      (isDirectory(join(top, directory)) || !lstatSync(join(top, directory), { throwIfNoEntry: false })))
  );
}

function filesOf(top: string, directory: string): string[] {
  return readdirSync(join(top, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(top.length + 1))
    .sort();
}

/** Applies all damage. Returns the names of records with damaged rows, the damaged tables, and a description. */
export function damage(
  ground: TestGround,
  { cells, links, disguised }: Damage,
  values: Cell[],
): { records: Set<string>; tables: Set<string>; done: string[] } {
  const file = join(ground.snapshot, 'snapshot.sqlite');
  const [records, tables] = [new Set<string>(), new Set<string>()];
  const done: string[] = [];
  const schema = removeColumnTypes(file);
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec('PRAGMA ignore_check_constraints = ON');
  for (const { place, row, value } of cells) {
    const [table, column] = COLUMNS[place % COLUMNS.length] as readonly [string, string];
    const id = KEYS[table] ?? 'rowid';
    const keys = db.prepare(`SELECT ${id} AS id, ${NAMES[table] ?? 'NULL'} AS name FROM ${table} ORDER BY 1`);
    keys.setReadBigInts(true);
    const rows = keys.all();
    const chosen = rows[row % Math.max(1, rows.length)];
    if (!chosen) continue;
    const cell = values[value % values.length] as Cell;
    // A column that is the row ID has only integers, even without types.
    if (table === 'redaction' && column === 'response' && typeof cell !== 'bigint') continue;
    const changed = db.prepare(`UPDATE OR IGNORE ${table} SET ${column} = ? WHERE ${id} IS ?`).run(cell, chosen['id'] as Cell);
    // A path does more harm if the checksum matches the file that it refers to.
    if (table === 'media' && column === 'path' && typeof cell === 'string') matchChecksum(db, ground, cell);
    if (changed.changes > 0) tables.add(table);
    if (changed.changes > 0) done.push(`${table}.${column} of ${String(chosen['id'])} = ${formatCell(cell)}`);
    if (typeof chosen['name'] === 'string') records.add(chosen['name'].replace(/^\w+:|\?.*$/g, ''));
  }
  db.close();
  if (disguised) restoreColumnTypes(file, schema);
  else done.push('tables without types');
  for (const { place, target } of links) {
    const [paths, linkTargets] = [linkPaths(ground), listLinkTargets(ground)];
    const path = paths[place % paths.length] as string;
    const linkTarget = linkTargets[target % linkTargets.length] as string;
    const at = join(ground.snapshot, path);
    if (!isReal(ground.snapshot, dirname(path))) continue; // behind a link that was created before
    mkdirSync(dirname(at), { recursive: true });
    rmSync(at, { recursive: true, force: true });
    symlinkSync(linkTarget, at);
    done.push(`${path} is a link to ${linkTarget}`);
  }
  return { records, tables, done };
}

const KEYS: Readonly<Record<string, string>> = {
  ...{
    meta: 'key',
    resource: 'key',
    blob: 'path',
    media: 'url',
    usage: 'record',
    download: 'url',
    orphan_file: 'path',
    withdrawn: 'key',
    withdrawn_url: 'sha256',
    exchange: 'id',
    redaction: 'response',
  },
};
const NAMES: Readonly<Record<string, string>> = { resource: 'key', response: 'key' };

function matchChecksum(db: DatabaseSync, { snapshot }: TestGround, path: string): void {
  try {
    const bytes = readFileSync(join(snapshot, path));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    db.prepare('INSERT OR REPLACE INTO blob (path, sha256, size) VALUES (?, ?, ?)').run(path, sha256, bytes.length);
  } catch {
    // the path is not that of a file, so the row remains unchanged
  }
}

/** Removes the types of all columns, so that a cell may hold any value. Returns the original schema by table. */
function removeColumnTypes(file: string): Map<string, string> {
  const schema = new Map<string, string>();
  editSchema(file, (db) => {
    for (const { name, sql } of db
      .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL`)
      .all()) {
      schema.set(String(name), String(sql));
      const loose = String(sql)
        .replace(/\bSTRICT, WITHOUT ROWID/g, 'WITHOUT ROWID')
        .replace(/\) STRICT$/g, ')')
        .replace(/ NOT NULL/g, '')
        .replace(/ INTEGER(?! PRIMARY)/g, ' ')
        .replace(/ (?:TEXT|BLOB)\b/g, ' ');
      db.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(loose, String(name));
    }
  });
  return schema;
}

function restoreColumnTypes(file: string, schema: ReadonlyMap<string, string>): void {
  editSchema(file, (db) => {
    for (const [name, sql] of schema) db.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(sql, name);
  });
}

function editSchema(file: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file, { defensive: false });
  db.exec('PRAGMA writable_schema = ON');
  work(db);
  db.exec('PRAGMA writable_schema = RESET');
  db.close();
}

function formatCell(cell: Cell): string {
  return cell instanceof Uint8Array
    ? `${cell.length} bytes`
    : JSON.stringify(typeof cell === 'bigint' ? String(cell) : cell).slice(0, 80);
}
