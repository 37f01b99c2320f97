/** `microfiche media`: fetches the files that the records name. */
import { Command, Option } from 'commander';
import { fetchMedia, type MediaOptions, type MediaReport } from '../src/media/fetch.ts';
import { formatBytes } from '../src/model/durations.ts';
import { DEFAULT_KINDS, MEDIA_KINDS, type MediaKind } from '../src/model/media.ts';
import { userAgent } from './harvest.ts';
import { byteCount, choices, hostNames, jsonOption, snapshotOption, wholeNumber } from './options.ts';
import { createProgress } from './progress.ts';

interface Flags {
  snapshot: string;
  kinds: MediaKind[];
  budget?: number;
  allowHost?: string[];
  concurrency: number;
  timeout: number;
  contact?: string;
  ignoreRobots?: boolean;
  json?: boolean;
}

export function mediaCommand(): Command {
  return new Command('media')
    .description(
      'Fetches the pictures, recordings and transcripts that the records name into the snapshot. What is there already is kept.',
    )
    .addOption(snapshotOption())
    .addOption(
      new Option('--kinds <list>', `which files: ${MEDIA_KINDS.join(',')}`)
        .argParser(choices(MEDIA_KINDS))
        .default(DEFAULT_KINDS, DEFAULT_KINDS.join(',')),
    )
    .option('--budget <size>', 'bytes to fetch in all at most, such as 20GB', byteCount)
    .option('--allow-host <hosts...>', 'further hosts that files may be fetched from', hostNames)
    .option('--concurrency <n>', 'requests under way at once', wholeNumber(1, 256), 4)
    .option('--timeout <s>', 'seconds to wait for an answer', wholeNumber(1, 3600), 60)
    .option('--contact <text>', 'an address or URL for the archive’s staff, sent in the User-Agent')
    .option('--ignore-robots', 'fetch also what robots.txt asks programs to leave alone')
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const report = await runMedia(
        {
          snapshot: flags.snapshot,
          kinds: new Set(flags.kinds),
          allowHosts: flags.allowHost ?? [],
          budget: flags.budget,
          concurrency: flags.concurrency,
          timeout: flags.timeout,
          ignoreRobots: flags.ignoreRobots === true,
          userAgent: userAgent(flags.contact),
        },
        flags.json === true,
      );
      if (flags.json) console.log(JSON.stringify(report));
      else for (const line of mediaLines(report)) console.log(line);
    });
}

/** Fetches with progress on the terminal. */
export async function runMedia(options: MediaOptions, quiet: boolean): Promise<MediaReport> {
  const progress = createProgress('Fetching', quiet);
  try {
    return await fetchMedia({ ...options, onProgress: (done, total) => progress.update(done, total) });
  } finally {
    progress.stop();
  }
}

export function mediaLines(report: MediaReport): string[] {
  return [
    `Fetched ${report.fetched} files, ${formatBytes(report.bytes)}; ${report.kept} were there already.`,
    ...report.elsewhere.map(
      ({ host, count }) =>
        `${count} stand on ${host}, which was not named: they were not asked for (--allow-host ${host} would).`,
    ),
    ...(report.overBudget > 0 ? [`${report.overBudget} were left, since the budget was used up; a further run goes on.`] : []),
    ...(report.failures.length > 0 ? [`${report.failures.length} could not be had:`] : []),
    ...report.failures.map(({ owner, url, cause }) => `  ${owner}: ${cause} (${url})`),
  ];
}
