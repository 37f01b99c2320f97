/** Fixity of the snapshot: every body and media file is read again and compared with its SHA-256, every row is checked, and no file is there that no row names. */
import { hash } from 'node:crypto';
import pMap from 'p-map';
import { parseBaseUrl } from '../model/resources.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { sha256OfFile } from './directory-files.ts';
import { RUN_COLUMNS, readMediaRows, readMeta, SELECT_MEDIA, type StoredMedia } from './read.ts';
import {
  blob,
  bodyProblem,
  integer,
  isResourceKind,
  mediaProblem,
  partProblem,
  type Row,
  readInteger,
  runRow,
  text,
  texts,
  usageProblem,
} from './rows.ts';
import type { Store } from './store.ts';

/** Something that is not as it was kept. */
export interface Finding {
  what: string;
  problem: string;
}

export interface SnapshotAudit {
  bodies: number;
  files: number;
  /** Bytes that were read. */
  bytes: number;
  findings: Finding[];
  /** What could be had from upstream again, as it was: media files by their paths, bodies by their numbers. */
  damaged: { files: string[]; responses: number[] };
}

/** Folders of the snapshot in which every file is somebody's. */
const MEDIA_DIRECTORIES = ['media', 'quarantine'];
/** Tables of files in these folders that are not stored: of downloads in progress, and to be deleted. */
const NOT_STORED = ['download', 'orphan_file'];
/** Files read side by side: while one is opened, another is summed. */
const MAX_CONCURRENT_READS = 4;

/** `onProgress` is told of bytes, of how many in all. */
export async function auditSnapshot(store: Store, onProgress?: (done: number, total: number) => void): Promise<SnapshotAudit> {
  const media = Map.groupBy(
    readMediaRows(store).filter(({ state, path }) => state !== 'failed' && path !== null),
    ({ path }) => path as string,
  );
  const bodies = store.db.prepare('SELECT count(*) AS count, coalesce(sum(length(body)), 0) AS bytes FROM response').get();
  const total = readInteger(bodies, 'bytes') + [...media.values()].reduce((sum, [row]) => sum + (row?.size ?? 0), 0);
  const audit: SnapshotAudit = {
    bodies: readInteger(bodies, 'count'),
    files: media.size,
    bytes: 0,
    findings: [],
    damaged: { files: [], responses: [] },
  };
  const read = (more: number) => {
    audit.bytes += more;
    onProgress?.(Math.min(audit.bytes, total), total);
  };
  const safeDir = toSafeDirectory(store.dir);
  checkDatabase(store, audit);
  checkRows(store, audit);
  checkBodies(store, audit, read);
  const found = new Map<string, string>();
  const checkFile = async ([path, [row]]: [string, StoredMedia[]]) => {
    const problem = row && (await fileProblem(safeDir, path, row, read));
    if (problem !== undefined) found.set(path, problem);
  };
  await pMap(media, checkFile, { concurrency: MAX_CONCURRENT_READS });
  for (const [path, rows] of media) {
    const problem = found.get(path);
    if (problem === undefined) continue;
    audit.findings.push({ what: path, problem });
    if (rows.some(({ state }) => state === 'stored')) audit.damaged.files.push(path);
  }
  audit.findings.push(...findOrphans(store, safeDir, media));
  return audit;
}

function checkDatabase(store: Store, { findings }: SnapshotAudit): void {
  for (const row of store.db.prepare('PRAGMA integrity_check').all()) {
    if (row['integrity_check'] !== 'ok') findings.push({ what: 'the database', problem: String(row['integrity_check']) });
  }
}

/** Rows that cannot be used: nothing is read, written or deleted through them. */
function checkRows(store: Store, { findings }: SnapshotAudit): void {
  const check = (table: string, select: string, name: (row: Row) => unknown, problemOf: (row: Row) => string | undefined) => {
    for (const row of store.db.prepare(select).iterate()) {
      const problem = problemOf(row);
      if (problem !== undefined)
        findings.push({ what: toPrintable(String(name(row))), problem: `its row in the table ${table} is not used: ${problem}` });
    }
  };
  check('media', `${SELECT_MEDIA} ORDER BY m.url`, ({ url }) => url, mediaProblem);
  check('usage', `SELECT ${texts('record', 'url', 'kind')} FROM usage`, ({ record, url }) => `${record} ${url}`, usageProblem);
  check(
    'blob',
    `SELECT ${text('path')} FROM blob b WHERE NOT EXISTS (SELECT 1 FROM media m WHERE m.path = b.path)`,
    ({ path }) => path,
    () => 'no URL has this file',
  );
  for (const table of NOT_STORED) check(table, `SELECT ${text('path')} FROM ${table}`, ({ path }) => path, partProblem);
  check(
    'resource',
    `SELECT ${texts('key', 'kind', 'name')} FROM resource`,
    ({ key }) => key,
    ({ kind, name }) =>
      isResourceKind(kind) && typeof name === 'string' ? undefined : 'its kind or its name is not one that exists',
  );
  check(
    'run',
    `SELECT ${RUN_COLUMNS} FROM run`,
    ({ id }) => `run ${id}`,
    (row) => (runRow(row) === undefined ? 'it has no number, or no time at which it began' : undefined),
  );
  for (const key of ['authors_url', 'catalog_url']) {
    if (parseBaseUrl(readMeta(store, key) ?? '') === undefined)
      findings.push({ what: key, problem: 'the snapshot does not say where it was harvested from' });
  }
}

function checkBodies(store: Store, { findings, damaged }: SnapshotAudit, onBytes: (bytes: number) => void): void {
  const rows = store.db
    .prepare(
      `SELECT ${integer('id')}, ${texts('key')}, ${text('key', 'name')}, ${texts('url', 'headers', 'sha256')}, ${text('fetched_at', 'fetchedAt')}, ${blob('body')} FROM response ORDER BY response.id`,
    )
    .iterate();
  for (const row of rows) {
    const { id, key, body } = row;
    const what = toPrintable(String(key));
    const problem = typeof id === 'number' ? bodyProblem(row) : 'its number is not one';
    if (problem !== undefined) findings.push({ what, problem: `its row in the table response is not used: ${problem}` });
    if (!(body instanceof Uint8Array)) continue;
    const sha256 = hash('sha256', body);
    onBytes(body.length);
    if (sha256 === row['sha256'] || typeof id !== 'number') continue;
    findings.push({
      what,
      problem: `its body has the SHA-256 ${sha256}, not ${toPrintable(String(row['sha256']), 64)} as received`,
    });
    damaged.responses.push(id);
  }
}

/** What is wrong with a file; undefined where it is as it came. */
async function fileProblem(
  safeDir: SafeDirectory,
  path: string,
  row: StoredMedia,
  onBytes: (bytes: number) => void,
): Promise<string | undefined> {
  try {
    if (safeDir.stat(path) === undefined) return 'the file is lost';
    const sha256 = await sha256OfFile(safeDir.resolve(path), onBytes);
    return sha256 === row.sha256 ? undefined : `the file has the SHA-256 ${sha256}, not ${row.sha256} as received`;
  } catch (error) {
    return error instanceof UnsafePathError
      ? 'the file is behind a symbolic link, which is not followed'
      : `the file cannot be read (${(error as Error).message})`;
  }
}

/** Files that no row names: neither stored, nor in progress, nor about to be removed. And links, behind which anything may be. */
function findOrphans(store: Store, safeDir: SafeDirectory, media: ReadonlyMap<string, unknown>): Finding[] {
  const known = new Set(
    NOT_STORED.flatMap((table) =>
      store.db
        .prepare(`SELECT ${text('path')} FROM ${table}`)
        .all()
        .map(({ path }) => path),
    ),
  );
  return MEDIA_DIRECTORIES.flatMap((directory) => listDirectory(safeDir, directory))
    .filter(({ path, isFile }) => !isFile || !(media.has(path) || known.has(path)))
    .map(({ path, isFile }) => ({
      what: toPrintable(path),
      problem: isFile
        ? 'nothing in the snapshot knows of this file'
        : 'this is no file: a link or the like, which is not followed',
    }));
}

function listDirectory(safeDir: SafeDirectory, directory: string): ReturnType<SafeDirectory['listEntries']> {
  try {
    return safeDir.listEntries(directory);
  } catch (error) {
    if (error instanceof UnsafePathError) return [{ path: directory, isFile: false }];
    throw error;
  }
}
