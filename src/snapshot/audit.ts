/** Proves the snapshot: every body and media file is read again and held against the SHA-256 that was kept when it came. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sumOf } from './files.ts';
import { mediaRows } from './read.ts';
import type { Store } from './store.ts';

/** Something that is not as it was kept. */
export interface Finding {
  what: string;
  problem: string;
}

export interface SnapshotAudit {
  bodies: number;
  files: number;
  findings: Finding[];
}

export async function auditSnapshot(store: Store, onProgress?: (done: number, total: number) => void): Promise<SnapshotAudit> {
  const findings: Finding[] = [];
  for (const row of store.db.prepare('PRAGMA integrity_check').all()) {
    if (row['integrity_check'] !== 'ok') findings.push({ what: 'the database', problem: String(row['integrity_check']) });
  }
  const media = mediaRows(store).filter((row) => row.state === 'stored');
  const { count } = store.db.prepare('SELECT count(*) AS count FROM response').get() as { count: number };
  let done = 0;
  for (const row of store.db.prepare('SELECT id, key, sha256, body FROM response ORDER BY id').iterate()) {
    const sha256 = createHash('sha256')
      .update(row['body'] as Uint8Array)
      .digest('hex');
    if (sha256 !== row['sha256'])
      findings.push({
        what: String(row['key']),
        problem: `its body has the SHA-256 ${sha256}, not ${row['sha256']} as received`,
      });
    onProgress?.(++done, count + media.length);
  }
  for (const row of media) {
    const file = join(store.dir, row.path ?? '');
    if (row.path === null || !existsSync(file)) findings.push({ what: row.path ?? row.url, problem: 'the file is lost' });
    else {
      const sha256 = await sumOf(file);
      if (sha256 !== row.sha256)
        findings.push({ what: row.path, problem: `the file has the SHA-256 ${sha256}, not ${row.sha256} as received` });
    }
    onProgress?.(++done, count + media.length);
  }
  return { bodies: count, files: media.length, findings };
}
