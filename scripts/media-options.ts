/** The options of downloads that several commands have, and what they mean. */
import { type Command, Option } from 'commander';
import { DEFAULT_KINDS, MEDIA_KINDS, type MediaKind, VIDEO_CHOICES, type VideoChoice } from '../src/model/media.ts';
import { createUserAgent } from './harvest-options.ts';
import {
  addOptions,
  choiceParser,
  choicesParser,
  createPolitenessOptions,
  integerParser,
  parseByteCount,
  parseHosts,
} from './options.ts';

/** Values of the options that `addRequestOptions` adds. */
export interface RequestFlags {
  allowHost?: string[];
  concurrency: number;
  rate?: number;
  timeout: number;
  contact?: string;
  ignoreRobots?: boolean;
}

/** Values of the options that select media files. */
export interface FileFlags {
  snapshot: string;
  kinds: MediaKind[];
  video: VideoChoice;
  collection?: string[];
  budget?: number;
  maxFile?: number;
}

/** The default of `--timeout` for downloads. */
export const MEDIA_TIMEOUT_SECONDS = 60;

/** Returns the options that select media files, apart from `--collection`. */
export const createFileOptions = () => [
  new Option('--kinds <list>', `File kinds to download, comma-separated: ${MEDIA_KINDS.join(', ')}`)
    .argParser(choicesParser(MEDIA_KINDS))
    .default(DEFAULT_KINDS, DEFAULT_KINDS.join(',')),
  new Option('--video <choice>', `File to download of each video: ${VIDEO_CHOICES.join(', ')}`)
    .argParser(choiceParser(VIDEO_CHOICES))
    .default('mp4'),
  new Option('--budget <size>', 'Maximum total download size, for example 20GB (default: unlimited)').argParser(parseByteCount),
  new Option('--max-file <size>', 'Skip files larger than this, for example 2GB (default: unlimited)').argParser(parseByteCount),
];

/** Adds the options of the request policy for downloads to a command. */
export function addRequestOptions(command: Command): Command {
  command
    .option('--allow-host <hosts...>', 'Additional hosts to download from', parseHosts)
    .option('--timeout <s>', 'Connection, header and stall timeout, in seconds', integerParser(1, 3600), MEDIA_TIMEOUT_SECONDS);
  return addOptions(command, createPolitenessOptions());
}

/** Returns the request policy for downloads that the options describe. */
export function toRequestPolicy(flags: RequestFlags) {
  return {
    allowHosts: flags.allowHost ?? [],
    concurrency: flags.concurrency,
    maxRequestsPerSecond: flags.rate,
    timeoutSeconds: flags.timeout,
    ignoreRobots: flags.ignoreRobots === true,
    userAgent: createUserAgent(flags.contact),
    onSnapshotHosts: (hosts: string[]) =>
      process.stderr.write(
        `Downloading from ${hosts.join(', ')}. Only the snapshot names this upstream; you have not named it on this machine.\n`,
      ),
  };
}

/** Returns which media files the options select. */
export function toMediaSelection({ snapshot, kinds, video, collection, budget, maxFile }: FileFlags) {
  const collections = collection && new Set(collection);
  return { snapshot, kinds: new Set(kinds), video, collections, budgetBytes: budget, maxFileBytes: maxFile };
}
