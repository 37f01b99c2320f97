/** `microfiche sync`: brings a copy of a site or snapshot up to date with another one. */
import { UsageError, UserError } from '../../src/model/errors.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount, groupLines, lineIf } from '../../src/platform/text-lines.ts';
import { isBag, isUrl } from '../../src/publish/copies/site-source.ts';
import { selectFitting, syncSite } from '../../src/publish/copies/sync-site.ts';
import { syncSnapshot } from '../../src/publish/copies/sync-snapshot.ts';
import { LEFT_OUT_FILE } from '../../src/publish/partial-copy.ts';
import { assertSigners } from '../../src/publish/signature.ts';
import { hasSnapshot } from '../../src/snapshot/store.ts';
import type { Flags } from '../options/options.ts';
import { createProgress } from '../progress.ts';

/** Runs the command `sync`. */
export async function syncCopies(from: string, to: string, { json, force, fit, collection, signers }: Flags<'sync'>) {
  using progress = createProgress('Copying', json);
  if (isUrl(to)) throw new UserError(`A copy can only be on this machine, and ${to} is a URL. Name a directory.`);
  const isSite = !hasSnapshot(from) && !isBag(from);
  const sync = isSite ? syncSite : isBag(from) ? (await import('../../src/export/bagit/sync-bag.ts')).syncBag : syncSnapshot;
  assertSigners(signers);
  if (fit === undefined && collection !== undefined)
    throw new UsageError('--collection says whose media files go first with --fit. Add --fit, or leave it out: a copy is whole.');
  if (fit !== undefined && !isSite)
    throw new UsageError('--fit works on sites: their media files can be left out. Snapshots and bags are copied as a whole.');
  const report = await sync(from, to, {
    force: force === true,
    signers,
    select: fit === undefined ? undefined : selectFitting(fit, collection),
    onProgress: progress.update,
  });
  const { files, bytes, copied, unchanged, removed } = report;
  const { damaged, wasSigned, problems, lacking } = { damaged: [], wasSigned: false, problems: [], lacking: 0, ...report };
  const lines = [
    `${to} was updated from ${from}: ${formatCount(files, 'file')}, ${formatBytes(bytes)}. Copied and verified: ${copied}, unchanged: ${unchanged}, deleted: ${removed}.`,
    ...(wasSigned ? ['The drive is no longer signed. To sign it, use "microfiche usb --sign".'] : []),
    ...problems,
    ...lineIf(lacking, `It lacks ${formatCount(lacking, 'file')}, listed in ${LEFT_OUT_FILE}.`),
    ...groupLines(damaged, { group: () => `could not be copied: missing or damaged in ${from}`, line: (path) => path }),
  ];
  const exitCode = damaged.length === 0 ? EXIT_CODES.success : EXIT_CODES.incomplete;
  return { report: { ...report, damaged }, lines, exitCode };
}
