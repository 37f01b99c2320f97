/** `microfiche media`: fetches the files that the records name. */
import { Command, Option } from 'commander';
import { type Estimate, estimateMedia } from '../src/media/acquisition/estimate.ts';
import { type FileLine, fetchMedia, type MediaOptions, type MediaReport } from '../src/media/acquisition/fetch.ts';
import { formatBytes } from '../src/model/durations.ts';
import { UsageError } from '../src/model/errors.ts';
import { DEFAULT_KINDS, MEDIA_KINDS, type MediaKind, VIDEO_CHOICES, type VideoChoice } from '../src/model/media.ts';
import { userAgent } from './harvest.ts';
import {
  byteCount,
  choice,
  choices,
  hostNames,
  jsonOption,
  objectIds,
  perSecond,
  snapshotOption,
  wholeNumber,
} from './options.ts';
import { createProgress } from './progress.ts';

/** As commander gives what `mannerOptions` asks for. */
export interface MannerFlags {
  allowHost?: string[];
  concurrency: number;
  rate?: number;
  timeout: number;
  contact?: string;
  ignoreRobots?: boolean;
}

interface Flags extends MannerFlags {
  snapshot: string;
  kinds: MediaKind[];
  video: VideoChoice;
  collection?: string[];
  budget?: number;
  maxFile?: number;
  dryRun?: boolean;
  head?: boolean;
  json?: boolean;
}

export function mediaCommand(): Command {
  const command = new Command('media')
    .description(
      'Fetches the pictures, recordings, transcripts and originals that the records name into the snapshot, and proves them. What is there already is kept; what was cut short is gone on with.',
    )
    .addOption(snapshotOption())
    .addOption(
      new Option('--kinds <list>', `which files: ${MEDIA_KINDS.join(',')}`)
        .argParser(choices(MEDIA_KINDS))
        .default(DEFAULT_KINDS, DEFAULT_KINDS.join(',')),
    )
    .addOption(
      new Option('--video <choice>', `which file of a video: ${VIDEO_CHOICES.join(', ')}`)
        .argParser(choice(VIDEO_CHOICES))
        .default('mp4'),
    )
    .option('--collection <ids...>', 'only files of these collections', objectIds)
    .option('--budget <size>', 'bytes to fetch in all at most, such as 20GB', byteCount)
    .option('--max-file <size>', 'leave larger files, such as 2GB', byteCount)
    .option('--dry-run', 'tell how many files and bytes of each kind would be fetched, and fetch nothing')
    .option('--head', 'with --dry-run: ask upstream for the sizes that no record gives');
  return mannerOptions(command)
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      if (flags.head && !flags.dryRun) throw new UsageError('--head belongs to --dry-run: add it, or leave --head out.');
      const options = { ...mannersOf(flags), ...choiceOf(flags) };
      const quiet = flags.json === true;
      const lines = flags.dryRun
        ? await runEstimate({ ...options, ask: flags.head === true }, quiet)
        : await runMedia(options, quiet);
      if (flags.json) console.log(JSON.stringify(lines));
      else for (const line of 'kinds' in lines ? estimateLines(lines) : mediaLines(lines)) console.log(line);
    });
}

/** The options that say how upstream's hosts are asked for files. */
export function mannerOptions(command: Command): Command {
  return command
    .option('--allow-host <hosts...>', 'further hosts that files may be fetched from', hostNames)
    .option('--concurrency <n>', 'requests under way at once to a host', wholeNumber(1, 256), 4)
    .option('--rate <n/s>', 'requests a second to a host at most', perSecond)
    .option('--timeout <s>', 'seconds to wait for an answer, and for more of it', wholeNumber(1, 3600), 60)
    .option('--contact <text>', 'an address or URL for the archive’s staff, sent in the User-Agent')
    .option('--ignore-robots', 'fetch also what robots.txt asks programs to leave alone');
}

export function mannersOf(flags: MannerFlags) {
  return {
    allowHosts: flags.allowHost ?? [],
    concurrency: flags.concurrency,
    rate: flags.rate,
    timeout: flags.timeout,
    ignoreRobots: flags.ignoreRobots === true,
    userAgent: userAgent(flags.contact),
    onMentioned: (hosts: string[]) =>
      process.stderr.write(
        `Asking ${hosts.join(', ')}, which the snapshot names as its source (you have not named ${hosts.length === 1 ? 'it' : 'them'} on this machine).\n`,
      ),
  };
}

function choiceOf({ snapshot, kinds, video, collection, budget, maxFile }: Flags) {
  const collections = collection && new Set(collection);
  return { snapshot, kinds: new Set(kinds), video, collections, budget, maxFile };
}

/** What is fetched from the sample archive: everything that pages show, by everybody's defaults. */
export function mediaDefaults(snapshot: string): MediaOptions {
  return {
    ...mannersOf({ concurrency: 4, timeout: 60 }),
    ...choiceOf({ snapshot, kinds: DEFAULT_KINDS, video: 'mp4', concurrency: 4, timeout: 60 }),
  };
}

/** Fetches with progress on the terminal. */
export async function runMedia(options: MediaOptions, quiet: boolean): Promise<MediaReport> {
  const progress = createProgress('Fetching', quiet);
  try {
    return await fetchMedia({
      ...options,
      onProgress: (done, total, bytes) => progress.update(done, total, formatBytes(bytes)),
    });
  } finally {
    progress.stop();
  }
}

async function runEstimate(options: MediaOptions & { ask: boolean }, quiet: boolean): Promise<Estimate> {
  const progress = createProgress('Asking for sizes', quiet);
  try {
    return await estimateMedia({ ...options, onProgress: (done, total) => progress.update(done, total) });
  } finally {
    progress.stop();
  }
}

export function mediaLines(report: MediaReport): string[] {
  const { fetched, shared, resumed, overBudget, tooLarge, failures, quarantined, streamOnly } = report;
  return [
    `Fetched ${fetched} files, ${formatBytes(report.bytes)}; ${report.kept} were there already.`,
    ...(resumed > 0 ? [`${resumed} were gone on with where they had stopped.`] : []),
    ...(shared > 0 ? [`${shared} have the same bytes as another file and share its place.`] : []),
    ...(streamOnly > 0 ? [`${streamOnly} may only be played from their own host: they are never fetched.`] : []),
    ...report.elsewhere.map(
      ({ host, count }) =>
        `${count} stand on ${host}, which was not named: they were not asked for (--allow-host ${host} would).`,
    ),
    ...report.unreachable.map(
      ({ host, count, cause }) => `${count} more on ${host} were not asked for, since it did not answer (${cause}).`,
    ),
    ...(overBudget > 0 ? [`${overBudget} were left, since the budget does not reach; a further run goes on.`] : []),
    ...(tooLarge.length > 0 ? [`${tooLarge.length} are larger than --max-file allows:`] : []),
    ...tooLarge.map(({ owner, url, size }) => `  ${owner}: ${size === null ? 'of unknown size' : formatBytes(size)} (${url})`),
    ...(failures.length > 0 ? [`${failures.length} could not be had:`] : []),
    ...failures.map(fileLine),
    ...(quarantined.length > 0 ? [`${quarantined.length} are not what upstream says of them and are kept apart:`] : []),
    ...quarantined.flatMap((one) => [fileLine(one), `    kept in ${one.path}`]),
  ];
}

export function fileLine({ owner, cause, url }: FileLine): string {
  return `  ${owner}: ${cause} (${url})`;
}

function estimateLines(estimate: Estimate): string[] {
  const { kinds, kept, tooLarge, elsewhere, streamOnly, room } = estimate;
  const line = (name: string, { files, bytes, unknown }: { files: number; bytes: number; unknown: number }) =>
    `${name.padEnd(11)}${String(files).padStart(9)}  ${formatBytes(bytes).padStart(11)}${unknown > 0 ? `  and ${unknown} of unknown size` : ''}`;
  return [
    `${'kind'.padEnd(11)}${'files'.padStart(9)}  ${'bytes'.padStart(11)}`,
    ...kinds.map((own) => line(own.kind, own)),
    line('in all', estimate),
    `${kept} are there already; the disk has room for ${formatBytes(room)}.`,
    ...(tooLarge > 0 ? [`${tooLarge} more are larger than --max-file allows.`] : []),
    ...(elsewhere > 0 ? [`${elsewhere} more stand on hosts that were not named (--allow-host).`] : []),
    ...(streamOnly > 0 ? [`${streamOnly} more may only be played from their own host: they are never fetched.`] : []),
    ...(estimate.unknown > 0 ? ['--head asks upstream for the sizes that no record gives.'] : []),
  ];
}
