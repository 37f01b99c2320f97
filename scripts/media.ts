/** `microfiche media`: fetches the files that the records name. */
import { Command, Option } from 'commander';
import { type Estimate, estimateMedia } from '../src/media/estimate.ts';
import { type FileLine, fetchMedia, type MediaOptions, type MediaReport } from '../src/media/fetch.ts';
import { UsageError } from '../src/model/errors.ts';
import { DEFAULT_KINDS, MEDIA_KINDS, type MediaKind, VIDEO_CHOICES, type VideoChoice } from '../src/model/media.ts';
import { formatBytes } from '../src/platform/durations.ts';
import { counted, grouped, printable } from '../src/platform/lines.ts';
import { writeReport } from '../src/snapshot/report-file.ts';
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
      else for (const line of 'kinds' in lines ? estimateLines(lines, flags) : mediaLines(lines)) console.log(line);
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

/** Fetches with progress on the terminal, and leaves the readable report in the snapshot. */
export async function runMedia(options: MediaOptions, quiet: boolean): Promise<MediaReport> {
  const progress = createProgress('Fetching', quiet);
  try {
    const report = await fetchMedia({
      ...options,
      onProgress: (done, total, bytes) => progress.update(done, total, formatBytes(bytes)),
    });
    writeReport(options.snapshot, 'media', mediaLines(report, { most: Number.POSITIVE_INFINITY }));
    return report;
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

/** The report in words: `most` lines of a kind, and where the rest of them is. */
export function mediaLines(report: MediaReport, { most }: { most?: number } = {}): string[] {
  const { fetched, distinctFiles, distinctBytes, shared, resumed, overBudget, tooLarge, failures, quarantined, streamOnly } =
    report;
  const lists = { rest: 'report.txt', ...(most === undefined ? {} : { most }) };
  const about = (count: number, what: string) => (count > 0 ? [what] : []);
  return [
    `Fetched ${counted(fetched, 'address', 'addresses')}, ${counted(distinctFiles, 'distinct file')}, ${formatBytes(distinctBytes)}; ${report.kept} ${were(report.kept)} there already.`,
    ...about(resumed, `${counted(resumed, 'download')} ${were(resumed)} resumed.`),
    ...about(
      shared,
      `${counted(shared, 'address', 'addresses')} had the same bytes as another one, and ${shared === 1 ? 'shares' : 'share'} its file.`,
    ),
    ...about(streamOnly, streamOnlyLine(streamOnly)),
    ...elsewhereLines(report.elsewhere),
    ...report.unreachable.map(({ host, count, cause }) =>
      printable(`${counted(count, 'more file')} on ${host} ${were(count)} not requested, since it did not answer (${cause}).`),
    ),
    ...about(
      overBudget,
      `${counted(overBudget, 'file')} ${were(overBudget)} left out: the budget does not reach. Another run goes on.`,
    ),
    ...about(tooLarge.length, `${counted(tooLarge.length, 'file')} ${are(tooLarge.length)} larger than --max-file allows:`),
    ...grouped(tooLarge, {
      ...lists,
      group: ({ size }) => (size === null ? 'of unknown size' : formatBytes(size)),
      line: ({ owner, url }) => `${owner} (${url})`,
    }),
    ...about(failures.length, `${counted(failures.length, 'file')} could not be downloaded:`),
    ...grouped(failures, { ...lists, group: ({ cause }) => cause, line: ({ owner, url }) => `${owner} (${url})` }),
    ...about(
      quarantined.length,
      `${counted(quarantined.length, 'file')} ${are(quarantined.length)} not what upstream says, and ${are(quarantined.length)} quarantined:`,
    ),
    ...grouped(quarantined, {
      ...lists,
      group: ({ cause }) => cause,
      line: ({ owner, url, path }) => `${owner} (${url}), kept in ${path}`,
    }),
  ];
}

const are = (count: number) => (count === 1 ? 'is' : 'are');
const were = (count: number) => (count === 1 ? 'was' : 'were');

function streamOnlyLine(count: number): string {
  return `${counted(count, 'recording file')} may only be played from ${count === 1 ? 'its' : 'their'} own host, and ${are(count)} never fetched.`;
}

/** Files on hosts that are not allowed, host by host. */
function elsewhereLines(hosts: MediaReport['elsewhere']): string[] {
  return hosts.map(({ host, count }) =>
    printable(`${counted(count, 'file')} ${are(count)} on ${host}, which is not allowed; “--allow-host ${host}” would allow it.`),
  );
}

/** One file with what is wrong with it. */
export function fileLine({ owner, cause, url }: FileLine): string {
  return printable(`  ${owner}: ${cause} (${url})`);
}

function estimateLines(estimate: Estimate, { head, budget }: Pick<Flags, 'head' | 'budget'>): string[] {
  const { kinds, kept, tooLarge, overBudget, streamOnly, room, unknown } = estimate;
  const line = (name: string, own: { files: number; bytes: number; unknown: number }) =>
    `${name.padEnd(11)}${String(own.files).padStart(9)}  ${formatBytes(own.bytes).padStart(11)}${own.unknown > 0 ? `  and ${own.unknown} of unknown size` : ''}`;
  return [
    `${'kind'.padEnd(11)}${'files'.padStart(9)}  ${'bytes'.padStart(11)}`,
    ...kinds.map((own) => line(own.kind, own)),
    line('in all', estimate),
    `${kept} ${are(kept)} there already; the disk has room for ${formatBytes(room)}.`,
    ...(tooLarge > 0 ? [`${counted(tooLarge, 'more file')} ${are(tooLarge)} larger than --max-file allows.`] : []),
    ...(overBudget > 0
      ? [`${counted(overBudget, 'more file')} would be left out: the budget of ${formatBytes(budget ?? 0)} does not reach.`]
      : []),
    ...(budget !== undefined && unknown > 0
      ? [
          `Files of unknown size come last, and get what is left of the budget: ${formatBytes(Math.max(0, budget - estimate.bytes))}.`,
        ]
      : []),
    ...elsewhereLines(estimate.elsewhereHosts),
    ...(streamOnly > 0 ? [streamOnlyLine(streamOnly)] : []),
    ...unknownLine(unknown, head === true),
  ];
}

/** What can be done about sizes that nobody knows. */
function unknownLine(unknown: number, head: boolean): string[] {
  if (unknown === 0) return [];
  return head
    ? [
        `Upstream does not say how large ${unknown === 1 ? 'that file' : `those ${unknown} files`} of unknown size ${are(unknown)}.`,
      ]
    : ['--head asks upstream for the sizes that no record gives.'];
}
