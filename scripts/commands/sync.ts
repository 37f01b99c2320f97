/** `microfiche sync`: brings a copy of a site or snapshot up to date with another one. */
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount, groupLines } from '../../src/platform/text-lines.ts';
import { syncSite } from '../../src/publish/copies/sync-site.ts';
import { syncSnapshot } from '../../src/publish/copies/sync-snapshot.ts';
import { hasSnapshot } from '../../src/snapshot/store.ts';
import type { Flags } from '../options/options.ts';
import { createProgress } from '../progress.ts';

/** Runs the command `sync`. Returns its exit code. */
export async function syncCopies(from: string, to: string, { json, force }: Flags<'sync'>): Promise<number> {
  using progress = createProgress('Copying', json);
  const sync = hasSnapshot(from) ? syncSnapshot : syncSite;
  const report = await sync(from, to, {
    force: force === true,
    onProgress: (done, total) => progress.update(done, total),
  });
  progress.stop();
  const damaged = 'damaged' in report ? report.damaged : [];
  if (json) console.log(JSON.stringify({ ...report, damaged }));
  else {
    const { files, bytes, copied, unchanged, removed } = report;
    console.log(
      `${to} is a copy of ${from}: ${formatCount(files, 'file')}, ${formatBytes(bytes)}. Copied and verified: ${copied}, unchanged: ${unchanged}, deleted: ${removed}.`,
    );
    for (const line of groupLines(damaged, {
      group: () => `could not be copied: missing or damaged in ${from}`,
      line: (path) => path,
    }))
      console.log(line);
  }
  return damaged.length === 0 ? EXIT_CODES.success : EXIT_CODES.failure;
}
