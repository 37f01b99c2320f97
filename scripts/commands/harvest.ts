/** `microfiche harvest`: creates or updates a snapshot. */
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { type HarvestOptions, harvest } from '../../src/harvest/harvest.ts';
import { fullReportLines, type HarvestReport, harvestExitCode, harvestLines, isEmptyHarvest } from '../../src/harvest/report.ts';
import { isSameOrBelow } from '../../src/harvest/scope.ts';
import { explainEmptyHarvest } from '../../src/harvest/too-few-records.ts';
import { InterruptedError } from '../../src/model/errors.ts';
import { writeReport } from '../../src/snapshot/report-file.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { defaultsOf, type Flags } from '../options/options.ts';
import { type HarvestFlags, toHarvestOptions } from '../options/request-options.ts';
import { createProgress } from '../progress.ts';

/** Runs the command `harvest`. */
export async function harvestArchive(flags: Flags<'harvest'>, command: Command) {
  letOptionsPrevail(flags, command);
  const conflict = findHarvestConflict(flags);
  if (conflict !== undefined) command.error(`error: ${conflict}`, { exitCode: 2 });
  const report = await runHarvest(toHarvestOptions(flags), flags.json === true);
  if (isEmptyHarvest(report)) console.error(`microfiche: ${explainEmptyHarvest(report)}`);
  return { report, lines: harvestLines(report), exitCode: harvestExitCode(report) };
}

/** Turns off `discover` if only the settings of the project have it, and an option that excludes it is given. */
export function letOptionsPrevail(flags: Pick<HarvestFlags, 'collection' | 'retryFailed' | 'discover'>, command: Command): void {
  if ((flags.collection || flags.retryFailed) && command.getOptionValueSource('discover') === 'config') flags.discover = false;
}

/** Returns why some options exclude each other; undefined if they do not. */
export function findHarvestConflict(flags: Pick<HarvestFlags, 'retryFailed' | 'full' | 'discover' | 'collection' | 'root'>) {
  const { retryFailed, full, discover, collection, root } = flags;
  if (retryFailed && full)
    return '--retry-failed and --full exclude each other: --retry-failed fetches only failed resources, --full fetches every resource';
  if (retryFailed && discover)
    return '--retry-failed and --discover exclude each other: --retry-failed fetches only failed resources, --discover fetches more';
  if (collection && discover)
    return '--collection and --discover exclude each other: --collection limits the harvest, --discover extends it';
  const outside = collection && root?.find((id) => !collection.some((above) => isSameOrBelow(id, above)));
  return outside === undefined ? undefined : `the seed record ${outside} is not below --collection ${collection?.join(' ')}`;
}

/** Harvests with progress on the terminal, and writes the report as text into the snapshot. */
export async function runHarvest(options: HarvestOptions, quiet: boolean): Promise<HarvestReport> {
  // Bodies are short-lived, so growth of V8's young generation costs 100 MB of memory without saving time.
  setFlagsFromString('--max-semi-space-size=8');
  setFlagsFromString('--semi-space-growth-factor=1');
  using progress = createProgress('Harvesting records and their lists', quiet);
  const stop = new AbortController();
  using _interrupts = listenForInterrupts(() => {
    process.stderr.write('\nFinishing requests in flight. Press Ctrl-C again to stop immediately.\n');
    stop.abort(new InterruptedError('The harvest was interrupted before the first record. Run the same command again.'));
  });
  const report = await harvest({
    ...options,
    signal: stop.signal,
    onWarning: (line) => process.stderr.write(`${line}\n`),
    onProgress: ({ done, known, failed }) => progress.update(done, known, failed > 0 ? `${failed} failed` : ''),
  });
  writeReport(options.snapshot, 'harvest', fullReportLines(report));
  return report;
}

/** Returns the default options of a harvest. */
export function defaultHarvestOptions(flags: Pick<HarvestFlags, 'authorsUrl' | 'catalogUrl' | 'snapshot'>): HarvestOptions {
  return toHarvestOptions({ ...defaultsOf('harvest'), ...flags });
}
