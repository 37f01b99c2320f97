/** `microfiche harvest`: fills or refreshes the snapshot. */
import { setFlagsFromString } from 'node:v8';
import { Command, Option } from 'commander';
import { type HarvestOptions, harvest } from '../src/harvest/harvest.ts';
import { fullLines, type HarvestReport, harvestLines, isEmpty } from '../src/harvest/report.ts';
import { isBelow } from '../src/harvest/scope.ts';
import { VERSION } from '../src/model/version.ts';
import { writeReport } from '../src/snapshot/report-file.ts';
import {
  baseUrl,
  byteCount,
  hostNames,
  jsonOption,
  objectIds,
  percentage,
  perSecond,
  seconds,
  snapshotOption,
  wholeNumber,
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

export function harvestCommand(): Command {
  return new Command('harvest')
    .description(
      'Fills or refreshes the snapshot from a living archive. Goes on by itself where an earlier harvest was cut short.',
    )
    .option('--authors-url <url>', 'the address before /api/3.0/ of the authors API', baseUrl)
    .option('--catalog-url <url>', 'the address before /api/0.2/ of the archive’s API', baseUrl)
    .option('--root <ids...>', 'object ids to begin with, besides what the authors lead to', objectIds)
    .addOption(snapshotOption())
    .option('--new-upstream', 'the archive in the snapshot has moved to these addresses')
    .optionsGroup('What is asked for:')
    .option(
      '--collection <ids...>',
      'only what is below these collections, and the records above them; no authors or guide pages; all else in the snapshot stays as it is',
      objectIds,
    )
    .option('--discover', 'begin also with the catalog’s own index: its repository, narrators and facets, where it answers')
    .option('--full', 'ask for every body anew, also where upstream’s validators or dates say that nothing changed')
    .option(
      '--trust-days <n>',
      'days for which a list’s line may stand for a record that it says is unchanged',
      wholeNumber(0, 36_500),
      30,
    )
    .option('--retry-failed', 'ask only for what the last harvest could not have, and for what that leads to')
    .option('--probe', 'ask for the ids in the gaps of a numbering where a list does not show all that it counts')
    .addOption(
      new Option('--gone-limit <share>', 'where more of what was there before is missing, mark nothing as gone')
        .argParser(percentage)
        .default(0.1, '10%'),
    )
    .optionsGroup('Politeness:')
    .option('--concurrency <n>', 'requests under way at once to a host', wholeNumber(1, 256), 4)
    .option('--rate <n/s>', 'requests a second at most to a host', perSecond)
    .option('--contact <text>', 'an address or URL for the archive’s staff, sent in the User-Agent')
    .option('--ignore-robots', 'ask also for what robots.txt asks programs to leave alone')
    .optionsGroup('Limits:')
    .option(
      '--allow-host <hosts...>',
      'further hosts that a redirect may lead to, and private addresses that a host may have',
      hostNames,
    )
    .option('--timeout <s>', 'seconds to wait for a connection, and for an answer to begin', seconds, 30)
    .option('--body-timeout <s>', 'seconds that an answer may take as a whole (default: twice --timeout)', seconds)
    .option('--patience <s>', 'seconds to wait for a host that can no longer be reached, before the harvest stops', seconds, 60)
    .option('--attempts <n>', 'tries for one resource', wholeNumber(1, 100), 5)
    .addOption(
      new Option('--max-body <size>', 'bytes of one answer, as sent and when unpacked')
        .argParser(byteCount)
        .default(32_000_000, '32MB'),
    )
    .option('--max-depth <n>', 'levels of nested JSON', wholeNumber(1, 1000), 100)
    .option('--max-redirects <n>', 'redirects from one address to another', wholeNumber(0, 20), 5)
    .optionsGroup('Options:')
    .addOption(jsonOption())
    .action(async (flags: Flags, command: Command) => {
      for (const [name, value] of [
        ['--authors-url', flags.authorsUrl],
        ['--catalog-url', flags.catalogUrl],
      ]) {
        if (value === undefined)
          command.error(`error: ${name} is needed, on the command line or in microfiche.config.json`, { exitCode: 2 });
      }
      const conflict = conflictIn(flags);
      if (conflict !== undefined) command.error(`error: ${conflict}`, { exitCode: 2 });
      const report = await runHarvest(harvestOptions(flags), flags.json === true);
      if (flags.json) console.log(JSON.stringify(report));
      else for (const line of harvestLines(report)) console.log(line);
      if (isEmpty(report))
        console.error(
          report.collections
            ? `microfiche: Nothing was harvested: upstream has no collection ${report.collections.join(', ')}. Please check --collection.`
            : 'microfiche: Nothing was harvested: all lists are empty. Please check --authors-url and --catalog-url.',
        );
      if (!report.complete || isEmpty(report)) process.exitCode = 1;
    });
}

/** Why some options cannot be meant together; undefined where they can. */
function conflictIn({ retryFailed, full, discover, collection, root }: Flags): string | undefined {
  if (retryFailed && full) return '--retry-failed asks only for what failed, --full for everything: choose one';
  if (retryFailed && discover) return '--retry-failed asks only for what failed, --discover for more: choose one';
  if (collection && discover) return '--collection limits the harvest, --discover widens it: choose one';
  const outside = collection && root?.find((id) => !collection.some((one) => isBelow(id, one)));
  return outside === undefined ? undefined : `the record ${outside} is not below --collection ${collection?.join(' ')}`;
}

/** Harvests with progress on the terminal, and leaves the readable report in the snapshot. */
export async function runHarvest(options: HarvestOptions, quiet: boolean): Promise<HarvestReport> {
  holdHeapSmall();
  const progress = createProgress('Harvesting', quiet);
  const stop = new AbortController();
  let first: number | undefined;
  const interrupt = () => {
    // One key press can arrive twice: from the terminal, and passed on by the process that started this one.
    if (first !== undefined && performance.now() - first > SAME_PRESS) process.exit(130);
    if (first !== undefined) return;
    first = performance.now();
    process.stderr.write('\nFinishing the requests under way; Ctrl-C again stops at once.\n');
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
    writeReport(options.snapshot, 'harvest', fullLines(report));
    return report;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    progress.stop();
  }
}

/** Milliseconds. */
const SAME_PRESS = 200;

/** Keeps V8’s young generation at the size that it has: bodies live for a moment, and letting it grow costs 100 MB and saves no time. */
function holdHeapSmall(): void {
  setFlagsFromString('--max-semi-space-size=8');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** What a harvest does where nothing else is asked for. */
export function harvestDefaults(flags: Pick<Flags, 'authorsUrl' | 'catalogUrl' | 'snapshot'>): HarvestOptions {
  return harvestOptions({ ...harvestCommand().opts<Flags>(), ...flags });
}

function harvestOptions(flags: Flags): HarvestOptions {
  const { timeout, patience, attempts, maxBody, maxDepth, maxRedirects } = flags;
  return {
    bases: { authors: flags.authorsUrl, catalog: flags.catalogUrl },
    roots: flags.root ?? [],
    collections: flags.collection ?? [],
    discover: flags.discover === true,
    newUpstream: flags.newUpstream === true,
    snapshot: flags.snapshot,
    allowHosts: flags.allowHost ?? [],
    concurrency: flags.concurrency,
    rate: flags.rate,
    limits: { timeout, bodyTimeout: flags.bodyTimeout ?? 2 * timeout, patience, attempts, maxBody, maxDepth, maxRedirects },
    ignoreRobots: flags.ignoreRobots === true,
    userAgent: userAgent(flags.contact),
    full: flags.full === true,
    probe: flags.probe === true,
    retryFailed: flags.retryFailed === true,
    goneLimit: flags.goneLimit,
    trustDays: flags.trustDays,
  };
}

export function userAgent(contact: string | undefined): string {
  return `Microfiche/${VERSION}${contact ? ` (${contact})` : ''}`;
}
