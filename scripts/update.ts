/** `microfiche update`: harvests, downloads media files, builds and verifies in one run, for example every night. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { harvestLines } from '../src/harvest/report.ts';
import { postJson } from '../src/http/post-json.ts';
import { describeError, UsageError, UserError } from '../src/model/errors.ts';
import { isObject } from '../src/model/values.ts';
import { formatUpdateAsMarkdown, OUTCOME_WORDS, REPORT_HEADING } from '../src/pipeline/update/markdown-report.ts';
import { formatMetrics } from '../src/pipeline/update/metrics.ts';
import { runUpdate } from '../src/pipeline/update/run-update.ts';
import type { UpdateReport } from '../src/pipeline/update/update-report.ts';
import type { UpdateSteps } from '../src/pipeline/update/update-steps.ts';
import { createDirectories } from '../src/platform/create-directory.ts';
import { isWithin } from '../src/platform/staging.ts';
import { formatFixityLine, openFixityLog } from '../src/publish/fixity-log.ts';
import { buildLines, runBuild } from './build.ts';
import {
  assertBuildFlags,
  type BuildFlags,
  createCleanOption,
  createOutOption,
  createSearchOptions,
  createSiteOptions,
  createSpecialBuildOptions,
} from './build-options.ts';
import {
  readConfiguredComponents,
  readConfiguredContent,
  readConfiguredDesign,
  readConfiguredNotices,
  readConfiguredWithholding,
} from './config.ts';
import { findHarvestConflict, letOptionsPrevail, runHarvest } from './harvest.ts';
import {
  createHarvestLimitOptions,
  createRefreshOptions,
  createSeedOptions,
  createUserAgent,
  HARVEST_TIMEOUT_SECONDS,
  type HarvestFlags,
  toHarvestOptions,
} from './harvest-options.ts';
import { listenForInterrupts } from './interrupts.ts';
import { mediaLines, runMedia } from './media.ts';
import { createFileOptions, type FileFlags, MEDIA_TIMEOUT_SECONDS, toMediaSelection, toRequestPolicy } from './media-options.ts';
import {
  addOptions,
  assertSigners,
  createCollectionOption,
  createJsonOption,
  createPolitenessOptions,
  createSignersOption,
  createSignOption,
  createSnapshotOption,
  HELP_OPTION,
  parseHosts,
  parsePath,
  parseSeconds,
} from './options.ts';
import { reportError } from './report-error.ts';
import { runVerify, verifyLines } from './verify.ts';

interface Flags extends Omit<HarvestFlags, 'timeout'>, FileFlags, BuildFlags {
  timeout?: number;
  signers?: string;
  log?: string;
  reportTo?: string[];
  metrics?: string;
  webhook?: string;
  json?: boolean;
}

const EXIT_CODE_HELP = `
Exit codes:
  0    everything was done; permanent failures are in the report
  1    a step failed, or verify has findings
  2    usage error
  3    partial: the site is up to date, but something in it failed
  4    the harvest found too few records; the site was left as it was
  5    another process has locked the snapshot or the site
  130  interrupted`;

/** Returns the command `update`. */
export function updateCommand(): Command {
  const command = new Command('update')
    .summary('Harvest, download media, build and verify in one run')
    .description(
      'Run all steps, for example every night: harvest the archive, download its media files, build the site and verify both. Run the same command again to resume after an interruption.',
    )
    .helpOption(...HELP_OPTION);
  addOptions(command, createSeedOptions())
    .addOption(createCollectionOption('Harvest, download and show only these collections and their ancestors'))
    .addOption(createSnapshotOption())
    .addOption(createOutOption())
    .optionsGroup('Reports:')
    .option('--report-to <files...>', 'Write the report to these files: JSON for .json, Markdown for .md', parseReportFiles)
    .option(
      '--metrics <file>',
      "Write metrics to this file, for the textfile collector of Prometheus' node_exporter (*.prom)",
      parseMetricsFile,
    )
    .option('--webhook <url>', 'POST the report as JSON to this URL', parseWebhook)
    .option('--log <file>', 'Append a line with the result of the verification to this file', parsePath)
    .addOption(createJsonOption())
    .optionsGroup('Refresh:');
  addOptions(command, createRefreshOptions()).optionsGroup('Media files:');
  addOptions(command, createFileOptions()).optionsGroup('Politeness:');
  addOptions(command, createPolitenessOptions())
    .optionsGroup('Limits:')
    .option(
      '--allow-host <hosts...>',
      'Additional hosts for redirects and downloads, and private IP addresses that hosts may resolve to',
      parseHosts,
    )
    .option(
      '--timeout <s>',
      `Timeout for the connection and the response headers, in seconds (default: ${HARVEST_TIMEOUT_SECONDS}; media files: ${MEDIA_TIMEOUT_SECONDS})`,
      parseSeconds,
    );
  addOptions(command, createHarvestLimitOptions()).optionsGroup('Site:');
  addOptions(command, createSiteOptions()).addOption(createCleanOption()).optionsGroup('Special builds:');
  addOptions(command, createSpecialBuildOptions()).optionsGroup('Search:');
  return addOptions(command, createSearchOptions())
    .optionsGroup('Signatures:')
    .addOption(createSignOption())
    .addOption(createSignersOption('Check that the site was signed by one of these signers'))
    .addHelpText('after', EXIT_CODE_HELP)
    .action(async (flags: Flags, self: Command) => {
      letOptionsPrevail(flags, self);
      const conflict = findHarvestConflict(flags);
      if (conflict !== undefined) self.error(`error: ${conflict}`, { exitCode: 2 });
      assertBuildFlags(flags);
      assertSigners(flags.signers);
      await runAndReport(flags);
    });
}

/** Runs an update, reports it everywhere, and sets the exit code. */
async function runAndReport(flags: Flags): Promise<void> {
  const withholding = await readConfiguredWithholding();
  // Wrong settings are reported now, not after a harvest of hours.
  await readConfiguredDesign();
  await readConfiguredNotices();
  await readConfiguredComponents();
  // Fails before the harvest if the reports cannot be written.
  for (const file of flags.reportTo ?? []) assertReportFile(file, flags);
  if (flags.metrics !== undefined) assertWritable(flags.metrics, flags);
  const log = flags.log === undefined ? undefined : openFixityLog(flags.log);
  const stop = new AbortController();
  const interrupts = listenForInterrupts(() =>
    stop.abort(new UserError('The update was interrupted. Run the same command again to resume.')),
  );
  try {
    const { snapshot, out, goneLimit: maxMissingShare, withholdLess } = flags;
    const baseUrls = { authors: flags.authorsUrl, catalog: flags.catalogUrl };
    const target = { snapshot, out, baseUrls, maxMissingShare, withholding, withholdLess };
    const { report, error } = await runUpdate(target, createSteps(flags, log), stop.signal);
    const problems = await deliverReport(report, flags);
    if (flags.json) console.log(JSON.stringify(report));
    if (error !== undefined) reportError(error);
    else printOutcome(report, flags);
    for (const problem of problems) console.error(`microfiche: ${problem}`);
    process.exitCode = report.exitCode;
    if (problems.length > 0 && (report.exitCode === 0 || report.exitCode === 3)) process.exitCode = 1;
    if (stop.signal.aborted) process.exit(); // the step that was left may still be running
  } finally {
    interrupts.close();
    log?.close();
  }
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
  try {
    const report: unknown = JSON.parse(text);
    return isObject(report) && 'outcome' in report && 'exitCode' in report;
  } catch {
    return false;
  }
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
      if (flags.content !== undefined) await readConfiguredContent(flags.content, flags.languages);
      const report = await runHarvest(
        { ...toHarvestOptions({ ...flags, timeout: flags.timeout ?? HARVEST_TIMEOUT_SECONDS }), lock },
        quiet,
      );
      print(harvestLines(report));
      return report;
    },
    async media(lock) {
      const policy = toRequestPolicy({ ...flags, timeout: flags.timeout ?? MEDIA_TIMEOUT_SECONDS });
      const report = await runMedia({ ...policy, ...toMediaSelection(flags), lock }, quiet);
      print(mediaLines(report));
      return report;
    },
    async build(lock) {
      const report = await runBuild({ ...flags, leavesOut: true }, quiet, lock);
      print(buildLines(report, flags));
      return report;
    },
    async verify() {
      const { snapshot, out: dir, signers } = flags;
      const { result, checked } = await runVerify({ snapshot, dir, repair: undefined, quiet, signers });
      log?.append(formatFixityLine(new Date(), checked));
      print(verifyLines(result));
      return checked;
    },
  };
}

/** Writes the report to the files that the options name, and posts it to the webhook. Returns the problems of the files; prints that of the webhook. */
async function deliverReport(report: UpdateReport, { reportTo = [], metrics, webhook, contact }: Flags): Promise<string[]> {
  const json = JSON.stringify(report, undefined, 1);
  const files = [
    ...reportTo.map((file) => [file, file.endsWith('.json') ? `${json}\n` : formatUpdateAsMarkdown(report)] as const),
    ...(metrics === undefined ? [] : [[metrics, formatMetrics(report)] as const]),
  ];
  const problems = files.flatMap(([file, text]) => {
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

/** The collector reads no other files. */
function parseMetricsFile(text: string): string {
  if (!text.endsWith('.prom'))
    throw new InvalidArgumentError(`"${text}" does not end in .prom, and the collector reads no other files.`);
  return parsePath(text);
}

/** Parses the files of a repeatable option, and appends them to `before`. */
function parseReportFiles(typed: string, before: string[] | undefined): string[] {
  if (!/[^/\\]\.(?:json|md)$/.test(typed))
    throw new InvalidArgumentError(`"${typed}" does not end in .json or .md. Expected a file, for example reports/last.json.`);
  return [...(before ?? []), typed];
}

function parseWebhook(typed: string): string {
  if (!/^https?:\/\//.test(typed) || !URL.canParse(typed))
    throw new InvalidArgumentError('Expected a URL that begins with http:// or https://.');
  return typed;
}
