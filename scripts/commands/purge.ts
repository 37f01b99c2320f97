/** `microfiche purge`: purges records from a snapshot. */
import { createInterface } from 'node:readline/promises';
import { deleteCachedFiles } from '../../src/build/cache/build-caches.ts';
import { bytesOf, type Purged, type PurgePlan, planPurge, purge } from '../../src/catalogue/purge.ts';
import { cacheRootDirectory } from '../../src/derivatives/cache-directories.ts';
import { UsageError, UserError } from '../../src/model/errors.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount, lineIf, toPrintable } from '../../src/platform/text-lines.ts';
import { createSnapshot, openSnapshot, type Store } from '../../src/snapshot/store.ts';
import { readWithdrawn } from '../../src/snapshot/withdrawn.ts';
import type { Flags } from '../options/options.ts';

/** Runs the command `purge`. */
export async function purgeRecords(ids: string[], flags: Flags<'purge'>) {
  if (flags.dryRun) return describePurge(ids, flags.snapshot);
  if (!flags.yes && !process.stdin.isTTY)
    throw new UsageError('Purging cannot be undone. To confirm it without a terminal, add --yes.');
  using store = openForPurge(flags.snapshot, ids);
  const plan = planPurge(store, ids);
  const { sharedFiles, mentioned, files } = plan;
  const sha256 = [...new Set([...files.values()].flatMap((file) => file.sha256 ?? []))];
  if (plan.records.length > 0) {
    if (!flags.yes) await confirmTwice(ids, plan);
    // First: once the rows are deleted, a purge that was interrupted no longer knows whose derivatives remain.
    deleteCachedFiles(cacheRootDirectory(), sha256);
  }
  const purged = purge(store, plan, { reason: toPrintable(flags.reason), now: new Date().toISOString() });
  const pending = purged.pending.join(' ');
  const error = pending === '' ? undefined : new UserError(`The purge is not finished. ${pending}`);
  return { report: { ids, ...purged, sha256, sharedFiles, mentioned }, lines: purgeLines(ids, purged, plan), error };
}

/** Returns what a purge would delete. */
function describePurge(ids: readonly string[], snapshot: string) {
  using store = openSnapshot(snapshot);
  const plan = planPurge(store, ids);
  const { records, files, sharedFiles, mentioned } = plan;
  const lines = [`This would remove ${describePlan(plan)}:`, ...records.map((id) => `  ${id}`)];
  return { report: { ids, dryRun: true, records, files: [...files.keys()], sharedFiles, mentioned }, lines };
}

const describePlan = (plan: PurgePlan): string =>
  `${formatCount(plan.records.length, 'record')} with ${formatCount(plan.files.size, 'media file')} (${formatBytes(bytesOf(plan))})`;

/** Opens a snapshot for a purge, only to read it if nothing is left to do. */
function openForPurge(dir: string, ids: readonly string[]): Store {
  const store = openSnapshot(dir);
  const withdrawn = readWithdrawn(store);
  // Planning takes long, and is seldom needed twice.
  if (ids.every((id) => withdrawn.has({ kind: 'object', name: id }))) {
    const { records, isUnfinished } = planPurge(store, ids);
    if (records.length === 0 && !isUnfinished) return store;
  }
  store.close();
  return createSnapshot(dir);
}

/** Prompts for the first ID, then for "yes". Throws a UserError if either input is different. */
async function confirmTwice(ids: readonly string[], plan: PurgePlan): Promise<void> {
  const [first = ''] = ids;
  using prompt = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await prompt.question(
    `This removes ${describePlan(plan)} from the snapshot for good. Type ${first} to continue: `,
  );
  if (typed.trim() !== first) throw new UserError('Nothing was purged.');
  const confirmation = await prompt.question('This cannot be undone. Type yes to purge: ');
  if (confirmation.trim().toLowerCase() !== 'yes') throw new UserError('Nothing was purged.');
}

function purgeLines(ids: readonly string[], purged: Purged, plan: PurgePlan): string[] {
  const { sharedFiles } = plan;
  const { records, bodies, files, bytes, lists, pending } = purged;
  if (records === 0) {
    if (pending.length > 0) return [];
    const line = `Purged before: ${ids.join(', ')}. Nothing of that remains in the snapshot.`;
    return plan.isUnfinished ? [line, ...remainderLines(plan)] : [line];
  }
  return [
    `Purged ${ids.join(', ')}: ${formatCount(records, 'record')}, ${formatCount(bodies, 'response body', 'response bodies')}, ${formatCount(files, 'file')} (${formatBytes(bytes)}), and entries in ${formatCount(lists, 'list')}.`,
    'Later harvests of this snapshot do not store them again.',
    ...lineIf(sharedFiles, `Not deleted: ${formatCount(sharedFiles, 'file')} with the same bytes as a file of another record.`),
    ...remainderLines(plan),
  ];
}

/** What a purge does not change. */
function remainderLines({ mentioned }: PurgePlan): string[] {
  return [
    ...(mentioned.length > 0
      ? [
          `Not changed: ${formatCount(mentioned.length, 'guide page or author', 'guide pages or authors')} with mentions of them: ${mentioned
            .slice(0, 10)
            .map((name) => toPrintable(name, 80))
            .join(', ')}.`,
        ]
      : []),
    `Derivatives and cached pages were deleted in ${cacheRootDirectory()}. In other directories in which you build this snapshot, run "microfiche build --clean".`,
    'Build every site of this snapshot again, and copy it to its hosts and USB drives again. Copies that other people have do not change.',
  ];
}
