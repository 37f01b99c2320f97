/** `microfiche harvest`: fills or refreshes the snapshot. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { type HarvestOptions, harvest } from '../src/harvest/harvest.ts';
import { type HarvestReport, harvestLines } from '../src/harvest/report.ts';
import { VERSION } from '../src/model/version.ts';
import { baseUrl, jsonOption, objectIds, perSecond, snapshotOption, wholeNumber } from './options.ts';
import { createProgress } from './progress.ts';

interface Flags {
  authorsUrl: string;
  catalogUrl: string;
  root?: string[];
  snapshot: string;
  concurrency: number;
  rate?: number;
  timeout: number;
  allowHost?: string[];
  contact?: string;
  full?: boolean;
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
    .option('--concurrency <n>', 'requests under way at once', wholeNumber(1, 256), 4)
    .option('--rate <n/s>', 'requests a second at most', perSecond)
    .option('--timeout <s>', 'seconds to wait for an answer', wholeNumber(1, 3600), 30)
    .option('--allow-host <hosts...>', 'further hosts that a redirect may lead to')
    .option('--contact <text>', 'an address or URL for the archive’s staff, sent in the User-Agent')
    .option('--full', 'ask for everything again, also what the snapshot has (the default, until a lighter refresh is built)')
    .addOption(jsonOption())
    .action(async (flags: Flags, command: Command) => {
      for (const [name, value] of [
        ['--authors-url', flags.authorsUrl],
        ['--catalog-url', flags.catalogUrl],
      ]) {
        if (value === undefined)
          command.error(`error: ${name} is needed, on the command line or in microfiche.config.json`, { exitCode: 2 });
      }
      const report = await runHarvest(harvestOptions(flags), flags.json === true);
      if (flags.json) console.log(JSON.stringify(report));
      else for (const line of harvestLines(report)) console.log(line);
      if (!report.complete) process.exitCode = 1;
    });
}

/** Harvests with progress on the terminal, and leaves the readable report in the snapshot. */
export async function runHarvest(options: HarvestOptions, quiet: boolean): Promise<HarvestReport> {
  const progress = createProgress('Harvesting', quiet);
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(130);
    process.stderr.write('\nFinishing the requests under way; Ctrl-C again stops at once.\n');
    stop.abort();
  };
  process.on('SIGINT', interrupt);
  try {
    const report = await harvest({
      ...options,
      signal: stop.signal,
      onProgress: ({ done, known, failed }) => progress.update(done, known, failed > 0 ? `${failed} failed` : ''),
    });
    writeFileSync(join(options.snapshot, 'report.txt'), `${harvestLines(report).join('\n')}\n`);
    return report;
  } finally {
    process.off('SIGINT', interrupt);
    progress.stop();
  }
}

function harvestOptions(flags: Flags): HarvestOptions {
  return {
    bases: { authors: flags.authorsUrl, catalog: flags.catalogUrl },
    roots: flags.root ?? [],
    snapshot: flags.snapshot,
    allowHosts: flags.allowHost ?? [],
    concurrency: flags.concurrency,
    rate: flags.rate,
    timeout: flags.timeout,
    userAgent: userAgent(flags.contact),
  };
}

export function userAgent(contact: string | undefined): string {
  return `Microfiche/${VERSION}${contact ? ` (${contact})` : ''}`;
}
