/** Proves the snapshot: every body and media file is read again and held against the SHA-256 that was kept when it came; and nothing is there that nobody knows. */
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { filesBelow, sumOf } from './files.ts';
import { mediaRows, type StoredMedia } from './read.ts';
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
const FOLDERS = ['media', 'quarantine'];
/** Files read side by side: while one is opened, another is summed. */
const SIDE_BY_SIDE = 4;

/** `onProgress` is told of bytes, of how many in all. */
export async function auditSnapshot(store: Store, onProgress?: (done: number, total: number) => void): Promise<SnapshotAudit> {
  const media = Map.groupBy(
    mediaRows(store).filter(({ state, path }) => state !== 'failed' && path !== null),
    ({ path }) => path as string,
  );
  const { count, bytes } = store.db
    .prepare('SELECT count(*) AS count, coalesce(sum(length(body)), 0) AS bytes FROM response')
    .get() as {
    count: number;
    bytes: number;
  };
  const total = bytes + [...media.values()].reduce((sum, [row]) => sum + (row?.size ?? 0), 0);
  const audit: SnapshotAudit = {
    bodies: count,
    files: media.size,
    bytes: 0,
    findings: [],
    damaged: { files: [], responses: [] },
  };
  const read = (more: number) => {
    audit.bytes += more;
    onProgress?.(Math.min(audit.bytes, total), total);
  };
  checkDatabase(store, audit);
  checkBodies(store, audit, read);
  const queue = new PQueue({ concurrency: SIDE_BY_SIDE });
  const found = new Map<string, string>();
  await queue.addAll(
    [...media].map(([path, [row]]) => async () => {
      const problem = row && (await fileProblem(join(store.dir, path), row, read));
      if (problem !== undefined) found.set(path, problem);
    }),
  );
  for (const [path, rows] of media) {
    const problem = found.get(path);
    if (problem === undefined) continue;
    audit.findings.push({ what: path, problem });
    if (rows.some(({ state }) => state === 'stored')) audit.damaged.files.push(path);
  }
  audit.findings.push(...strangers(store, media));
  return audit;
}

function checkDatabase(store: Store, { findings }: SnapshotAudit): void {
  for (const row of store.db.prepare('PRAGMA integrity_check').all()) {
    if (row['integrity_check'] !== 'ok') findings.push({ what: 'the database', problem: String(row['integrity_check']) });
  }
}

function checkBodies(store: Store, { findings, damaged }: SnapshotAudit, read: (bytes: number) => void): void {
  for (const row of store.db.prepare('SELECT id, key, sha256, body FROM response ORDER BY id').iterate()) {
    const body = row['body'] as Uint8Array;
    const sha256 = hash('sha256', body);
    read(body.length);
    if (sha256 === row['sha256']) continue;
    findings.push({ what: String(row['key']), problem: `its body has the SHA-256 ${sha256}, not ${row['sha256']} as received` });
    damaged.responses.push(Number(row['id']));
  }
}

/** What is wrong with a file; undefined where it is as it came. */
async function fileProblem(file: string, row: StoredMedia, read: (bytes: number) => void): Promise<string | undefined> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return 'the file is lost';
  try {
    const sha256 = await sumOf(file, read);
    return sha256 === row.sha256 ? undefined : `the file has the SHA-256 ${sha256}, not ${row.sha256} as received`;
  } catch (error) {
    return `the file cannot be read (${(error as Error).message})`;
  }
}

/** Files that no row names: neither kept, nor on their way, nor about to be removed. */
function strangers(store: Store, media: ReadonlyMap<string, unknown>): Finding[] {
  const known = new Set(
    ['media_part', 'media_spare'].flatMap((table) =>
      store.db
        .prepare(`SELECT path FROM ${table}`)
        .all()
        .map((row) => String(row['path'])),
    ),
  );
  return FOLDERS.flatMap((folder) => filesBelow(join(store.dir, folder)).map(([path]) => `${folder}/${path}`))
    .filter((path) => !media.has(path) && !known.has(path))
    .map((what) => ({ what, problem: 'nothing in the snapshot knows of this file' }));
}
