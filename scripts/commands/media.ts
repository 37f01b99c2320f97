/** `microfiche media`: downloads the media files that records name. */
import { createWebFiles } from '../../src/derivatives/web-recordings.ts';
import { downloadMedia, type MediaOptions } from '../../src/media/download-media.ts';
import { type Estimate, estimateMedia } from '../../src/media/estimate.ts';
import { elsewhereLines, firstCause, hasTransientFailures, type MediaReport } from '../../src/media/media-report.ts';
import { UsageError } from '../../src/model/errors.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount, groupLines, lineIf, toPrintable } from '../../src/platform/text-lines.ts';
import { writeReport } from '../../src/snapshot/report-file.ts';
import { createSnapshot, lend } from '../../src/snapshot/store.ts';
import { defaultsOf, type Flags as FlagsOf } from '../options/options.ts';
import { toMediaSelection, toRequestPolicy } from '../options/request-options.ts';
import { createProgress } from '../progress.ts';

type Flags = FlagsOf<'media'>;

/** Runs the command `media`. */
export async function downloadFiles(flags: Flags) {
  if (flags.head && !flags.dryRun) throw new UsageError('--head requires --dry-run: add --dry-run, or leave out --head.');
  const options = { ...toRequestPolicy(flags), ...toMediaSelection(flags) };
  const quiet = flags.json === true;
  if (flags.dryRun) {
    const estimate = await runEstimate({ ...options, sendHead: flags.head === true }, quiet);
    return { report: estimate, lines: estimateLines(estimate, flags) };
  }
  const report = await runMedia(options, quiet);
  const exitCode = hasTransientFailures(report) ? EXIT_CODES.incomplete : EXIT_CODES.success;
  return { report, lines: mediaLines(report), exitCode };
}

/** Returns the default options: download everything that pages show. */
export function defaultMediaOptions(snapshot: string): MediaOptions {
  const flags = { ...defaultsOf('media'), snapshot };
  return { ...toRequestPolicy(flags), ...toMediaSelection(flags) };
}

/** Downloads with progress on the terminal, and writes the report as text into the snapshot. */
export async function runMedia(options: MediaOptions, quiet: boolean): Promise<MediaReport> {
  using progress = createProgress('Downloading', quiet);
  const report = await downloadMedia({
    ...options,
    onWarning: (line) => process.stderr.write(`${line}\n`),
    onProgress: (done, total, bytes) => progress.update(done, total, formatBytes(bytes)),
  });
  if (options.forWeb) report.derivatives = await makeWebFiles(options, quiet);
  writeReport(options.snapshot, 'media', mediaLines(report, { maxLines: Number.POSITIVE_INFINITY }));
  return report;
}

async function makeWebFiles({ snapshot, lock }: MediaOptions, quiet: boolean) {
  using store = createSnapshot(snapshot, lock && lend(lock));
  using progress = createProgress('Converting', quiet);
  return await createWebFiles(store, progress.update);
}

async function runEstimate(options: MediaOptions & { sendHead: boolean }, quiet: boolean): Promise<Estimate> {
  using progress = createProgress('Requesting sizes', quiet);
  return await estimateMedia({ ...options, onProgress: (done, total) => progress.update(done, total) });
}

/** Returns the report as text, with up to `maxLines` files per cause. */
export function mediaLines(report: MediaReport, { maxLines }: { maxLines?: number } = {}): string[] {
  const { fetched, distinctFiles, distinctBytes, shared, resumed, overBudget, tooLarge, failures, quarantined, streamOnly } =
    report;
  const lists = { fullListFile: 'report.txt', ...(maxLines === undefined ? {} : { maxLines }) };
  return [
    `Downloaded: ${formatCount(fetched, 'URL')}, ${formatCount(distinctFiles, 'distinct file')}, ${formatBytes(distinctBytes)}. Already stored: ${formatCount(report.alreadyStored, 'URL')}.`,
    ...lineIf(resumed, `Resumed: ${formatCount(resumed, 'download')}.`),
    ...lineIf(shared, `Deduplicated: ${formatCount(shared, 'URL')} with the same bytes as another one.`),
    ...lineIf(streamOnly, streamOnlyLine(streamOnly)),
    ...elsewhereLines(report.elsewhere),
    ...report.unreachable.map(({ host, count, cause, resumeAt }) => {
      const why = resumeAt === undefined ? ` on ${host}, which is unreachable (${cause}).` : `, because ${cause}.`;
      return toPrintable(`Skipped: ${formatCount(count, 'file')}${why}`);
    }),
    ...lineIf(
      overBudget,
      `Skipped: ${formatCount(overBudget, 'file')} beyond --budget. Run the same command again to download more.`,
    ),
    ...groupLines(tooLarge, {
      ...lists,
      heading: `Skipped: ${formatCount(tooLarge.length, 'file')} larger than --max-file:`,
      group: ({ size }) => (size === null ? 'of unknown size' : formatBytes(size)),
      line: nameFile,
    }),
    ...groupLines(failures, {
      ...lists,
      heading: `Failed: ${formatCount(failures.length, 'file')} could not be downloaded:`,
      group: ({ cause }) => cause,
      line: nameFile,
    }),
    ...(report.derivatives ? derivativeLines(report.derivatives, lists) : []),
    ...groupLines(quarantined, {
      ...lists,
      heading: `Quarantined: ${formatCount(quarantined.length, 'file')} that failed verification:`,
      group: maxLines === undefined ? firstCause : ({ cause }) => cause,
      line: ({ owner, url, path }) => `${owner} (${url}), moved to ${path}`,
    }),
  ];
}

function derivativeLines({ made, present, failures }: NonNullable<MediaReport['derivatives']>, lists: object): string[] {
  return [
    `Made for browsers: ${formatCount(made, 'recording')}. Made before: ${present}.`,
    ...groupLines(failures, {
      ...lists,
      heading: `Failed: of ${formatCount(failures.length, 'recording')}, no file for browsers could be made:`,
      group: ({ cause }) => cause,
      line: nameFile,
    }),
  ];
}

const nameFile = ({ owner, url }: { owner: string; url: string }): string => `${owner} (${url})`;

const streamOnlyLine = (count: number): string => `Skipped: ${formatCount(count, 'stream-only recording file')}.`;

function estimateLines(estimate: Estimate, { head, budget }: Pick<Flags, 'head' | 'budget'>): string[] {
  const { kinds, alreadyStored, tooLarge, overBudget, streamOnly, derivatives, unknown } = estimate;
  const line = (name: string, row: { files: number; bytes: number; unknown: number }) =>
    `${name.padEnd(11)}${String(row.files).padStart(9)}  ${formatBytes(row.bytes).padStart(11)}${row.unknown > 0 ? `  and ${row.unknown} of unknown size` : ''}`;
  return [
    `${'kind'.padEnd(11)}${'files'.padStart(9)}  ${'bytes'.padStart(11)}`,
    ...kinds.map((row) => line(row.kind, row)),
    line('total', estimate),
    `Already stored: ${formatCount(alreadyStored, 'URL')}. Free disk space: ${formatBytes(estimate.freeBytes)}.`,
    ...lineIf(tooLarge, `Skipped: ${formatCount(tooLarge, 'more file')} larger than --max-file.`),
    ...lineIf(overBudget, `Skipped: ${formatCount(overBudget, 'more file')} beyond --budget (${formatBytes(budget ?? 0)}).`),
    ...(budget !== undefined && unknown > 0
      ? [
          `Files of unknown size are downloaded last, with the rest of the budget: ${formatBytes(Math.max(0, budget - estimate.bytes))}.`,
        ]
      : []),
    ...elsewhereLines(estimate.elsewhereHosts),
    ...lineIf(streamOnly, streamOnlyLine(streamOnly)),
    ...lineIf(
      derivatives.files,
      `To make for browsers: ${formatCount(derivatives.files, 'recording')}, at most ${formatBytes(derivatives.bytes)}${derivatives.unknown > 0 ? `, and ${derivatives.unknown} of unknown duration` : ''}.`,
    ),
    ...lineIf(
      unknown,
      head
        ? `Upstream does not declare the size of ${formatCount(unknown, 'file')}.`
        : 'To request undeclared sizes from upstream, add --head.',
    ),
  ];
}
