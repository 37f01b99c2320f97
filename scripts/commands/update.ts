/** `microfiche update`: harvests, downloads media files, builds and verifies in one run, for example every night. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { formatUpdateAsMarkdown, OUTCOME_WORDS, REPORT_HEADING } from '../../src/build/update/markdown-report.ts';
import { formatMetrics } from '../../src/build/update/metrics.ts';
import { runUpdate } from '../../src/build/update/run-update.ts';
import type { UpdateReport } from '../../src/build/update/update-report.ts';
import type { UpdateSteps } from '../../src/build/update/update-steps.ts';
import { harvestLines } from '../../src/harvest/report.ts';
import { postJson } from '../../src/http/post-json.ts';
import { describeError, UsageError, UserError } from '../../src/model/errors.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { tryParse } from '../../src/model/json.ts';
import { isObject } from '../../src/model/values.ts';
import { createDirectories } from '../../src/platform/create-directory.ts';
import { isWithin } from '../../src/platform/staging.ts';
import { formatFixityLine, openFixityLog } from '../../src/publish/fixity-log.ts';
import { assertSigners } from '../../src/publish/signature.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { assertBuildFlags } from '../options/build-options.ts';
import { readConfigured, readConfiguredContent, readPageSettings } from '../options/config.ts';
import type { Flags as FlagsOf } from '../options/options.ts';
import { createUserAgent, toHarvestOptions, toMediaSelection, toRequestPolicy } from '../options/request-options.ts';
import { reportError } from '../report-error.ts';
import { buildLines, runBuild } from './build.ts';
import { findHarvestConflict, letOptionsPrevail, runHarvest } from './harvest.ts';
import { mediaLines, runMedia } from './media.ts';
import { runVerify } from './verify.ts';
import { verifyLines } from './verify-report.ts';

type Flags = FlagsOf<'update'>;

/** Runs the command `update`. */
export async function updateAll(flags: Flags, command: Command) {
  letOptionsPrevail(flags, command);
  const conflict = findHarvestConflict(flags);
  if (conflict !== undefined) command.error(`error: ${conflict}`, { exitCode: 2 });
  assertBuildFlags(flags);
  assertSigners(flags.signers);
  return { exitCode: await runAndReport(flags) };
}

/** Runs an update, and reports it everywhere. Returns the exit code. */
async function runAndReport(flags: Flags): Promise<number> {
  // Wrong settings are reported now, not after a harvest of hours.
  const { withholding } = await readPageSettings(flags.languages);
  await readConfigured('components');
  // Fails before the harvest if the reports cannot be written.
  for (const file of flags.reportTo ?? []) assertReportFile(file, flags);
  if (flags.metrics !== undefined) assertWritable(flags.metrics, flags);
  using log = flags.log === undefined ? undefined : openFixityLog(flags.log);
  const stop = new AbortController();
  using _interrupts = listenForInterrupts(() =>
    stop.abort(new UserError('The update was interrupted. Run the same command again to resume.')),
  );
  const { snapshot, out, goneLimit: maxMissingShare, withholdLess } = flags;
  const baseUrls = { authors: flags.authorsUrl, catalog: flags.catalogUrl };
  const target = { snapshot, out, baseUrls, maxMissingShare, withholding, withholdLess };
  const { report, error } = await runUpdate(target, createSteps(flags, log), stop.signal);
  const problems = await deliverReport(report, flags);
  if (flags.json) console.log(JSON.stringify(report));
  if (error !== undefined) reportError(error);
  else printOutcome(report, flags);
  for (const problem of problems) console.error(`microfiche: ${problem}`);
  const isIncomplete =
    problems.length > 0 && (report.exitCode === EXIT_CODES.success || report.exitCode === EXIT_CODES.incomplete);
  const exitCode = isIncomplete ? EXIT_CODES.failure : report.exitCode;
  if (stop.signal.aborted) process.exit(exitCode); // the step that was left may still be running
  return exitCode;
}

/** Checks that a report may be written to a file, which is not that of something else. */
function assertReportFile(file: string, flags: Flags): void {
  if (existsSync(file) && !isReport(file))
    throw new UsageError(
      `${file} is not the report of an update, and would be overwritten. Choose another file with --report-to.`,
    );
  assertWritable(file, flags);
}

/** Checks that a file may be written, and creates its directory. */
function assertWritable(file: string, { out, snapshot }: Flags): void {
  const path = resolve(file);
  if (isWithin(path, resolve(out)))
    throw new UsageError(`${file} is within the site, which would publish it. Choose a file outside of ${out}.`);
  if (isWithin(path, resolve(snapshot)))
    throw new UsageError(`${file} is within the snapshot, which has no other files. Choose a file outside of ${snapshot}.`);
  createDirectories(dirname(path));
  accessSync(dirname(path), constants.W_OK);
}

/** Whether a file is empty, or the report of an earlier update. */
function isReport(file: string): boolean {
  if (!statSync(file).isFile()) return false;
  const text = readFileSync(file, 'utf8').trim();
  if (text === '' || !file.endsWith('.json')) return text === '' || text.startsWith(REPORT_HEADING);
  const report = tryParse(text);
  return isObject(report) && 'outcome' in report && 'exitCode' in report;
}

/** Returns the steps, which print their reports as they end. */
function createSteps(flags: Flags, log: ReturnType<typeof openFixityLog> | undefined): UpdateSteps {
  const quiet = flags.json === true;
  const print = (lines: readonly string[]) => {
    if (!quiet) for (const line of lines) console.log(line);
  };
  return {
    async harvest(lock) {
      // Mistakes in own pages are in the report, and found before a harvest of hours.
      await readConfiguredContent(flags.content, flags.languages);
      const report = await runHarvest({ ...toHarvestOptions(flags), lock }, quiet);
      print(harvestLines(report, { isOneOfSteps: true }));
      return report;
    },
    async media(lock) {
      const report = await runMedia({ ...toRequestPolicy(flags), ...toMediaSelection(flags), lock }, quiet);
      print(mediaLines(report));
      return report;
    },
    async build(lock) {
      const report = await runBuild({ ...flags, leavesOut: true }, quiet, lock);
      print(buildLines(report, flags));
      return report;
    },
    async verify() {
      const { snapshot, out: dir, signers, sampleRate } = flags;
      const { result, checked } = await runVerify({ snapshot, dir, repair: undefined, quiet, signers, sampleRate });
      log?.append(formatFixityLine(new Date(), checked));
      print(verifyLines(result));
      return checked;
    },
  };
}

/**
 * Writes the report to the named files, unless another process has locked what was to be updated: they then describe its update.
 * Posts it to the webhook. Returns the files' problems; prints the webhook's.
 */
async function deliverReport(report: UpdateReport, { reportTo = [], metrics, webhook, contact }: Flags): Promise<string[]> {
  const json = JSON.stringify(report, undefined, 1);
  const files = [
    ...reportTo.map((file) => [file, file.endsWith('.json') ? `${json}\n` : formatUpdateAsMarkdown(report)] as const),
    ...(metrics === undefined ? [] : [[metrics, formatMetrics(report)] as const]),
  ];
  const problems = (report.outcome === 'locked' ? [] : files).flatMap(([file, text]) => {
    try {
      writeFileAtomic.sync(file, text);
      return [];
    } catch (error) {
      return [`${file} could not be written. ${describeError(error)}`];
    }
  });
  const problem = webhook === undefined ? undefined : await postJson(webhook, json, createUserAgent(contact));
  // Its path may be secret.
  if (webhook !== undefined && problem !== undefined)
    console.error(`microfiche: The report could not be posted to ${new URL(webhook).host}: ${problem}.`);
  return problems;
}

/** Prints how the update ended. Anything but a success goes to standard error. */
function printOutcome({ outcome, exitCode, messages, duration, out }: UpdateReport, { json }: Flags): void {
  const site =
    outcome === 'too-few-records'
      ? [
          `The site in ${out} was left as it was. If the archive is really that small, run the update once with a higher --gone-limit.`,
        ]
      : [];
  const sentences = [...messages, ...site].join(' ');
  if (outcome !== 'complete' && outcome !== 'partial') console.error(`microfiche: ${sentences}`);
  else if (!json)
    console.log(
      `Update ${OUTCOME_WORDS[outcome]} in ${duration.toFixed(1)} s (exit code ${exitCode}).${sentences === '' ? '' : ` ${sentences}`}`,
    );
}
