/** What the options of harvests and downloads mean, which several commands have. */
import type { HarvestOptions } from '../../src/harvest/harvest.ts';
import { VERSION } from '../../src/model/version.ts';
import { type Flags, TIMEOUT_SECONDS } from './options.ts';

/** Values of the options of the request policy. */
export type RequestFlags = Pick<Flags<'media'>, 'allowHost' | 'concurrency' | 'rate' | 'timeout' | 'contact' | 'ignoreRobots'>;
/** Values of the options that select media files. */
export type FileFlags = Pick<
  Flags<'media'>,
  'snapshot' | 'kinds' | 'video' | 'derivatives' | 'collection' | 'budget' | 'maxFile'
>;

/** Returns the request policy for downloads that the options describe. */
export function toRequestPolicy(flags: RequestFlags) {
  return {
    allowHosts: flags.allowHost ?? [],
    concurrency: flags.concurrency,
    maxRequestsPerSecond: flags.rate,
    timeoutSeconds: flags.timeout ?? TIMEOUT_SECONDS.media,
    ignoreRobots: flags.ignoreRobots === true,
    userAgent: createUserAgent(flags.contact),
    onSnapshotHosts: (hosts: string[]) =>
      process.stderr.write(
        `Downloading from ${hosts.join(', ')}. Only the snapshot names this upstream; you have not named it on this machine.\n`,
      ),
  };
}

/** Returns which media files the options select. */
export function toMediaSelection({ snapshot, kinds, video, derivatives, collection, budget, maxFile }: FileFlags) {
  const [collections, forWeb] = [collection && new Set(collection), derivatives === 'web'];
  return { snapshot, kinds: new Set(kinds), video, forWeb, collections, budgetBytes: budget, maxFileBytes: maxFile };
}

type OnlyHarvest = 'newUpstream' | 'retryFailed';
/** Values of the options of a harvest, of which `update` has most. */
export type HarvestFlags = Omit<Flags<'harvest'>, OnlyHarvest | 'json'> & Partial<Pick<Flags<'harvest'>, OnlyHarvest>>;

/** Returns what to harvest, and how, as the options say it. */
export function toHarvestOptions(flags: HarvestFlags): HarvestOptions {
  const { timeout: timeoutSeconds = TIMEOUT_SECONDS.harvest, patience: unreachableTimeoutSeconds } = flags;
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
      maxAttempts: flags.attempts,
      maxBodyBytes: flags.maxBody,
      maxDepth: flags.maxDepth,
      maxRedirects: flags.maxRedirects,
      maxRecords: flags.maxRecords,
      maxDatabaseBytes: flags.maxBytes,
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
export const createUserAgent = (contact: string | undefined): string => `Microfiche/${VERSION}${contact ? ` (${contact})` : ''}`;
