/** The options of `harvest` that `update` has too, and what they mean. */
import { InvalidArgumentError, Option } from 'commander';
import type { HarvestOptions } from '../src/harvest/harvest.ts';
import { VERSION } from '../src/model/version.ts';
import { MAX_VALUE_BYTES } from '../src/snapshot/rows.ts';
import { integerParser, parseBaseUrlOption, parseByteCount, parseObjectIds, parseSeconds, parseShare } from './options.ts';

/** Values of the options of a harvest. */
export interface HarvestFlags {
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
  maxRecords?: number;
  maxBytes?: number;
}

/** The default of `--timeout` for responses of the APIs. */
export const HARVEST_TIMEOUT_SECONDS = 30;

/** Returns the options that name upstream and the seeds. */
export const createSeedOptions = () => [
  new Option('--authors-url <url>', 'Base URL of the guide API: the part before /api/3.0/ (required)')
    .argParser(parseBaseUrlOption)
    .makeOptionMandatory(),
  new Option('--catalog-url <url>', 'Base URL of the records API: the part before /api/0.2/ (required)')
    .argParser(parseBaseUrlOption)
    .makeOptionMandatory(),
  new Option('--root <ids...>', 'Additional seed records, by ID').argParser(parseObjectIds),
  new Option('--discover', 'Start from the catalog index too: the repository, narrators and facets'),
];

/** Returns the options that determine what is fetched again. */
export const createRefreshOptions = () => [
  new Option('--full', 'Fetch every resource again, without conditional requests'),
  new Option('--trust-days <n>', 'Maximum age in days before a record is revalidated, even if its list entry is unchanged')
    .argParser(integerParser(0, 36_500))
    .default(30),
  new Option('--probe', 'Request unlisted IDs in the numbering gaps of incomplete children lists'),
  new Option('--gone-limit <share>', 'Skip removal detection if more than this share of known records fails')
    .argParser(parseShare)
    .default(0.1, '10%'),
];

/** Larger bodies could be stored, and not be read again. */
function parseBodySize(typed: string): number {
  const bytes = parseByteCount(typed);
  if (bytes > MAX_VALUE_BYTES)
    throw new InvalidArgumentError('Expected at most 268MB, the largest body that a snapshot can have.');
  return bytes;
}

/** Returns the options that limit a response, the attempts and the snapshot, apart from `--timeout`. */
export const createHarvestLimitOptions = () => [
  new Option('--body-timeout <s>', 'Timeout for the response body, in seconds (default: twice --timeout)').argParser(
    parseSeconds,
  ),
  new Option('--patience <s>', 'Seconds to wait for an unreachable host before the harvest stops')
    .argParser(parseSeconds)
    .default(60),
  new Option('--attempts <n>', 'Maximum attempts per resource that end with an error, including the first')
    .argParser(integerParser(1, 100))
    .default(5),
  new Option('--max-body <size>', 'Maximum response body size, before and after decompression')
    .argParser(parseBodySize)
    .default(32_000_000, '32MB'),
  new Option('--max-depth <n>', 'Maximum JSON nesting depth').argParser(integerParser(1, 1000)).default(100),
  new Option('--max-redirects <n>', 'Maximum redirects per request').argParser(integerParser(0, 20)).default(5),
  new Option('--max-records <n>', 'Stop the harvest at this number of records (default: unlimited)').argParser(
    integerParser(1, 1_000_000_000),
  ),
  new Option(
    '--max-bytes <size>',
    "Stop the harvest at this size of the snapshot's database, for example 20GB (default: unlimited)",
  ).argParser(parseByteCount),
];

/** Returns what to harvest, and how, as the options say it. */
export function toHarvestOptions(flags: HarvestFlags): HarvestOptions {
  const {
    timeout: timeoutSeconds,
    patience: unreachableTimeoutSeconds,
    attempts: maxAttempts,
    maxBody: maxBodyBytes,
    maxDepth,
    maxRedirects,
    maxRecords,
    maxBytes: maxDatabaseBytes,
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
      maxRecords,
      maxDatabaseBytes,
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
