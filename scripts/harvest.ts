/** `microfiche harvest`: creates or updates a snapshot. */
import { setFlagsFromString } from 'node:v8';
import { Command, Option } from 'commander';
import { type HarvestOptions, harvest } from '../src/harvest/harvest.ts';
import { fullReportLines, type HarvestReport, harvestLines, isEmptyHarvest } from '../src/harvest/report.ts';
import { isSameOrBelow } from '../src/harvest/scope.ts';
import { VERSION } from '../src/model/version.ts';
import { writeReport } from '../src/snapshot/report-file.ts';
import {
  createJsonOption,
  createSnapshotOption,
  HELP_OPTION,
  integerParser,
  parseBaseUrlOption,
  parseByteCount,
  parseHosts,
  parseObjectIds,
  parseRate,
  parseSeconds,
  parseShare,
} from './options.ts';
import { createProgress } from './progress.ts';

interface Flags {
  authorsUrl: string;
  catalogUrl: string;
  root?: string[];
  collection?: string[];
  discover?: boolean;
  newUpstream?: boolean;
  snapshot: string;
  concurrency: number;
  rate?: number;
  allowHost?: string[];
  contact?: string;
  ignoreRobots?: boolean;
  full?: boolean;
  probe?: boolean;
  retryFailed?: boolean;
  goneLimit: number;
  trustDays: number;
  timeout: number;
  bodyTimeout?: number;
  patience: number;
  attempts: number;
  maxBody: number;
  maxDepth: number;
  maxRedirects: number;
  json?: boolean;
}

/** Returns the command `harvest`. */
export function harvestCommand(): Command {
  return new Command('harvest')
    .summary('Harvest an archive into a snapshot')
    .description(
      "Harvest an archive's JSON API into a snapshot. Run the same command again to resume an interrupted harvest or to update the snapshot.",
    )
    .helpOption(...HELP_OPTION)
    .option('--authors-url <url>', 'Base URL of the guide API: the part before /api/3.0/ (required)', parseBaseUrlOption)
    .option('--catalog-url <url>', 'Base URL of the records API: the part before /api/0.2/ (required)', parseBaseUrlOption)
    .option('--root <ids...>', 'Additional seed records, by ID', parseObjectIds)
    .option(
      '--collection <ids...>',
      'Harvest only these collections, their ancestors and everything below them, without authors and guide pages; the rest of the snapshot stays unchanged',
      parseObjectIds,
    )
    .option('--discover', 'Start from the catalog index too: the repository, narrators and facets')
    .addOption(createSnapshotOption())
    .option('--new-upstream', 'Confirm that the archive in the snapshot has moved to these URLs')
    .optionsGroup('Refresh:')
    .option('--full', 'Fetch every resource again, without conditional requests')
    .option(
      '--trust-days <n>',
      'Maximum age in days before a record is revalidated, even if its list entry is unchanged',
      integerParser(0, 36_500),
      30,
    )
    .option('--retry-failed', 'Fetch only the resources that failed in the last harvest, and resources discovered through them')
    .option('--probe', 'Request unlisted IDs in the numbering gaps of incomplete children lists')
    .addOption(
      new Option('--gone-limit <share>', 'Skip removal detection if more than this share of known records fails')
        .argParser(parseShare)
        .default(0.1, '10%'),
    )
    .optionsGroup('Politeness:')
    .option('--concurrency <n>', 'Maximum concurrent requests per host', integerParser(1, 256), 4)
    .option('--rate <n/s>', 'Maximum requests per second per host (default: unlimited)', parseRate)
    .option('--contact <text>', 'Email address or URL of the operator, sent in the User-Agent')
    .option('--ignore-robots', 'Ignore robots.txt, including Crawl-delay')
    .optionsGroup('Limits:')
    .option(
      '--allow-host <hosts...>',
      'Additional hosts that redirects may target, and private IP addresses that hosts may resolve to',
      parseHosts,
    )
    .option('--timeout <s>', 'Timeout for the connection and the response headers, in seconds', parseSeconds, 30)
    .option('--body-timeout <s>', 'Timeout for the response body, in seconds (default: twice --timeout)', parseSeconds)
    .option('--patience <s>', 'Seconds to wait for an unreachable host before the harvest stops', parseSeconds, 60)
    .option('--attempts <n>', 'Maximum attempts per resource, including the first', integerParser(1, 100), 5)
    .addOption(
      new Option('--max-body <size>', 'Maximum response body size, before and after decompression')
        .argParser(parseByteCount)
        .default(32_000_000, '32MB'),
    )
    .option('--max-depth <n>', 'Maximum JSON nesting depth', integerParser(1, 1000), 100)
    .option('--max-redirects <n>', 'Maximum redirects per request', integerParser(0, 20), 5)
    .optionsGroup('Options:')
    .addOption(createJsonOption())
    .action(async (flags: Flags, command: Command) => {
      for (const [name, setting, value] of [
        ['--authors-url', 'authorsUrl', flags.authorsUrl],
        ['--catalog-url', 'catalogUrl', flags.catalogUrl],
      ]) {
        if (value === undefined)
          command.error(`error: ${name} is required, on the command line or as "${setting}" in microfiche.config.json`, {
            exitCode: 2,
          });
      }
      const conflict = findConflict(flags);
      if (conflict !== undefined) command.error(`error: ${conflict}`, { exitCode: 2 });
      const report = await runHarvest(toHarvestOptions(flags), flags.json === true);
      if (flags.json) console.log(JSON.stringify(report));
      else for (const line of harvestLines(report)) console.log(line);
      if (isEmptyHarvest(report))
        console.error(
          report.collections
            ? `microfiche: Nothing was harvested: upstream has no collection ${report.collections.join(', ')}. Check --collection.`
            : 'microfiche: Nothing was harvested: all lists are empty. Check --authors-url and --catalog-url.',
        );
      if (!report.complete || isEmptyHarvest(report)) process.exitCode = 1;
    });
}

/** Returns why some options exclude each other; undefined if they do not. */
function findConflict({ retryFailed, full, discover, collection, root }: Flags): string | undefined {
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
  limitYoungGeneration();
  const progress = createProgress('Harvesting', quiet);
  const stop = new AbortController();
  let interruptedAt: number | undefined;
  const interrupt = () => {
    // One key press can cause two signals: from the terminal, and from the process that started this one.
    if (interruptedAt !== undefined && performance.now() - interruptedAt > SAME_KEY_PRESS_MS) process.exit(130);
    if (interruptedAt !== undefined) return;
    interruptedAt = performance.now();
    process.stderr.write('\nFinishing requests in flight. Press Ctrl-C again to stop immediately.\n');
    stop.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const report = await harvest({
      ...options,
      signal: stop.signal,
      onWarning: (line) => process.stderr.write(`${line}\n`),
      onProgress: ({ done, known, failed }) => progress.update(done, known, failed > 0 ? `${failed} failed` : ''),
    });
    writeReport(options.snapshot, 'harvest', fullReportLines(report));
    return report;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    progress.stop();
  }
}

const SAME_KEY_PRESS_MS = 200;

/** Prevents growth of V8's young generation: bodies are short-lived, and growth costs 100 MB of memory without saving time. */
function limitYoungGeneration(): void {
  setFlagsFromString('--max-semi-space-size=8');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Returns the default options of a harvest. */
export function defaultHarvestOptions(flags: Pick<Flags, 'authorsUrl' | 'catalogUrl' | 'snapshot'>): HarvestOptions {
  return toHarvestOptions({ ...harvestCommand().opts<Flags>(), ...flags });
}

function toHarvestOptions(flags: Flags): HarvestOptions {
  const {
    timeout: timeoutSeconds,
    patience: unreachableTimeoutSeconds,
    attempts: maxAttempts,
    maxBody: maxBodyBytes,
    maxDepth,
    maxRedirects,
  } = flags;
  return {
    baseUrls: { authors: flags.authorsUrl, catalog: flags.catalogUrl },
    seeds: flags.root ?? [],
    collections: flags.collection ?? [],
    discover: flags.discover === true,
    newUpstream: flags.newUpstream === true,
    snapshot: flags.snapshot,
    allowHosts: flags.allowHost ?? [],
    concurrency: flags.concurrency,
    maxRequestsPerSecond: flags.rate,
    limits: {
      timeoutSeconds,
      bodyTimeoutSeconds: flags.bodyTimeout ?? 2 * timeoutSeconds,
      unreachableTimeoutSeconds,
      maxAttempts,
      maxBodyBytes,
      maxDepth,
      maxRedirects,
    },
    ignoreRobots: flags.ignoreRobots === true,
    userAgent: createUserAgent(flags.contact),
    full: flags.full === true,
    probeGaps: flags.probe === true,
    retryFailed: flags.retryFailed === true,
    maxMissingShare: flags.goneLimit,
    maxAgeDays: flags.trustDays,
  };
}

/** Returns the User-Agent header: name, version and contact. */
export function createUserAgent(contact: string | undefined): string {
  return `Microfiche/${VERSION}${contact ? ` (${contact})` : ''}`;
}
