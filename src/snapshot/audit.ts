/** Audits a snapshot: compares each body and media file with its SHA-256, checks each row, and finds orphan files. */
import { hash } from 'node:crypto';
import pMap from 'p-map';
import { parseBaseUrl } from '../model/resources.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError, undefinedIfUnsafe } from '../platform/safe-directory.ts';
import { isSystemPath } from '../platform/system-files.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { readPendingDeletions } from './deletions.ts';
import { sha256OfFile } from './directory-files.ts';
import { EXCHANGE_COLUMNS, exchangeProblem } from './exchanges.ts';
import { MEDIA_DIRECTORIES } from './file-names.ts';
import { RUN_COLUMNS, readMediaRows, readMeta, SELECT_MEDIA } from './read.ts';
import type { StoredMedia } from './row-types.ts';
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
  selectTexts,
  text,
  texts,
  usageProblem,
} from './rows.ts';
import type { Store } from './store.ts';

/** One thing that the audit found wrong. */
export interface Finding {
  /** The path of a file, the key of a resource, or another name of what is wrong. */
  what: string;
  /** What is wrong with it, as a clause such as “the file is missing”. */
  problem: string;
}

/** What an audit found missing or corrupted, and a repair can try to fetch again. */
export interface Damage {
  /** Paths of media files. */
  files: string[];
  /** IDs of rows in the table `response`. */
  responses: number[];
}

/** The result of an audit. */
export type SnapshotAudit = Awaited<ReturnType<typeof auditSnapshot>>;

/** Returns the SHA-256 of a file that was just written; undefined for others. */
type WrittenFiles = (path: string) => string | undefined;

/** Files that are read at the same time: while one is opened, another one is hashed. */
const MAX_CONCURRENT_READS = 4;

/**
 * Audits a snapshot. Calls `onProgress` with the bytes read so far and the total. Of the media files, only the share `sampleRate`
 * is read, chosen at random; of the others, the size is compared. A file whose SHA-256 `written` returns was just written, and is
 * not read again.
 */
export async function auditSnapshot(
  store: Store,
  onProgress?: (done: number, total: number) => void,
  { sampleRate = 1, written = () => undefined }: { sampleRate?: number | undefined; written?: WrittenFiles } = {},
) {
  const rows = readMediaRows(store).filter(({ state, path }) => state !== 'failed' && path !== null);
  const media = Map.groupBy(rows, ({ path }) => path as string);
  const bodies = store.db.prepare('SELECT count(*) AS count, coalesce(sum(length(body)), 0) AS bytes FROM response').get();
  const total = readInteger(bodies, 'bytes') + [...media.values()].reduce((bytes, [row]) => bytes + (row?.size ?? 0), 0);
  const audit = {
    bodies: readInteger(bodies, 'count'),
    /** Number of distinct media files. */
    files: media.size,
    /** Number of these files of which only the size was compared. */
    unread: 0,
    /** Number of bytes read. */
    bytes: 0,
    findings: [] as Finding[],
    damaged: { files: [], responses: [] } as Damage,
  };
  const read = (more: number) => {
    audit.bytes += more;
    onProgress?.(Math.min(audit.bytes, total), total);
  };
  const safeDir = toSafeDirectory(store.dir);
  for (const problem of selectTexts(store.db, 'PRAGMA integrity_check'))
    if (problem !== 'ok') audit.findings.push({ what: 'the database', problem });
  checkRows(store, audit);
  checkBodies(store, audit, read);
  const found = new Map<string, string>();
  // Even a sample of few files has at least one.
  const always = sampleRate > 0 ? Math.floor(Math.random() * media.size) : -1;
  const checkFile = async ([path, [row]]: [string, StoredMedia[]], index: number) => {
    const isRead = index === always || Math.random() < sampleRate;
    if (!isRead) audit.unread++;
    const problem = row && (await fileProblem(safeDir, path, row, isRead ? read : undefined, written(path)));
    if (problem !== undefined) found.set(path, problem);
  };
  await pMap(media, checkFile, { concurrency: MAX_CONCURRENT_READS });
  for (const [path, ofFile] of media) {
    const problem = found.get(path);
    if (problem === undefined) continue;
    audit.findings.push({ what: path, problem });
    if (ofFile.some(({ state }) => state === 'stored')) audit.damaged.files.push(path);
  }
  audit.findings.push(...findOrphans(store, safeDir, media));
  return audit;
}

/** Adds findings for rows that are invalid and therefore ignored: nothing is read, written or deleted through them. */
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
    () => 'no URL refers to this file',
  );
  check(
    'exchange',
    `SELECT ${integer('response')}, ${text('media')}, ${EXCHANGE_COLUMNS} FROM exchange`,
    ({ response, media }) => media ?? `response ${response}`,
    exchangeProblem,
  );
  for (const table of ['download', 'orphan_file'])
    check(table, `SELECT ${text('path')} FROM ${table}`, ({ path }) => path, partProblem);
  check(
    'resource',
    `SELECT ${texts('key', 'kind', 'name')} FROM resource`,
    ({ key }) => key,
    ({ kind, name }) =>
      isResourceKind(kind) && typeof name === 'string' ? undefined : 'its kind is unknown, or its name is not text',
  );
  check(
    'run',
    `SELECT ${RUN_COLUMNS} FROM run`,
    ({ id }) => `run ${id}`,
    (row) => (runRow(row) === undefined ? 'its ID or its start time is missing or invalid' : undefined),
  );
  const { purge } = readPendingDeletions(store);
  if (purge !== undefined)
    findings.push({
      what: `purge of ${toPrintable(purge, 50)}`,
      problem: 'it is not finished, so that the report or unused parts of the database may have what was purged. Run it again',
    });
  for (const key of ['authors_url', 'catalog_url']) {
    if (parseBaseUrl(readMeta(store, key) ?? '') === undefined)
      findings.push({ what: key, problem: 'the table meta has no valid base URL for this key' });
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
    const problem = typeof id === 'number' ? bodyProblem(row) : 'its ID is not an integer';
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

/** Returns what is wrong with a media file; undefined if it is intact. Without `onBytes`, its size alone tells. */
async function fileProblem(
  safeDir: SafeDirectory,
  path: string,
  row: StoredMedia,
  onBytes: ((bytes: number) => void) | undefined,
  written: string | undefined,
): Promise<string | undefined> {
  try {
    const size = safeDir.stat(path)?.size;
    if (size === undefined) return 'the file is missing';
    if (written !== undefined) onBytes?.(size);
    const sha256 = onBytes ? (written ?? (await sha256OfFile(safeDir.resolve(path), onBytes))) : row.sha256;
    if (sha256 === row.sha256) return size === row.size ? undefined : `the file has ${size} bytes, not ${row.size} as received`;
    return `the file has the SHA-256 ${sha256}, not ${row.sha256} as received`;
  } catch (error) {
    return error instanceof UnsafePathError
      ? 'its path contains a symbolic link, which is not followed'
      : `the file cannot be read (${(error as Error).message})`;
  }
}

/** Finds files that no row names as stored or partial. Links are findings too, since they could point anywhere. */
function findOrphans(store: Store, safeDir: SafeDirectory, media: ReadonlyMap<string, unknown>): Finding[] {
  const partial = new Set(selectTexts(store.db, `SELECT ${text('path')} FROM download`));
  const marked = new Set(readPendingDeletions(store).files);
  return Object.values(MEDIA_DIRECTORIES)
    .flatMap((path) => undefinedIfUnsafe(() => safeDir.listEntries(path)) ?? [{ path, isFile: false }])
    .filter(({ path, isFile }) => !isFile || !(media.has(path) || partial.has(path) || isSystemPath(path)))
    .map(({ path, isFile }) => ({
      what: toPrintable(path),
      problem: !isFile
        ? 'it is a symbolic link or a special file, which is not read'
        : marked.has(path)
          ? 'it is marked for deletion, and not deleted yet. The next harvest or purge does so'
          : 'orphan file: nothing in the snapshot names it',
    }));
}
