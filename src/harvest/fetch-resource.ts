/** Fetches one resource and returns its outcome: a body, a confirmation that nothing changed, or a failure. */
import { isDeepStrictEqual } from 'node:util';
import type { Client, ClientResponse, ValidationProblem } from '../http/client.ts';
import { FetchError, isNonRetryable } from '../http/errors.ts';
import { isObjectId, listKindsForId } from '../model/ids.ts';
import { decodeBody, isDeeperThan, parseJson } from '../model/json.ts';
import { type BaseUrls, keyOf, type ListKind, type Resource, resourceProblem, urlOf } from '../model/resources.ts';
import type { UpstreamResponse } from '../model/response.ts';
import { isObject, text } from '../model/values.ts';
import { RUNS_UNTIL_DEAD, RUNS_UNTIL_WEEKLY, readPastRequests } from '../snapshot/dead-resources.ts';
import { movedCause } from '../snapshot/moved-records.ts';
import { parseBody, readBodyByKey } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { DiscoveredResource, Outcome } from '../snapshot/write.ts';
import { type ExtractedLinks, extractLinks } from './extract-links.ts';
import { firstPage, type ListTracker } from './list-tracker.ts';
import { isForeign, isNamedByGuide, learnRepositories } from './repositories.ts';

/** What a run needs to fetch its resources. */
export interface FetchContext {
  client: Client;
  /** Base URLs that requests are sent to. */
  baseUrls: BaseUrls;
  store: Store;
  listTracker: ListTracker;
  /** Fetches every resource as if nothing were stored: no conditional requests, no stored body confirmed by a list entry. */
  full: boolean;
  /** Whether upstream confirmed a body recently (ISO 8601, UTC). If not, it is revalidated, even with an unchanged list entry. */
  isRecent: (checkedAt: string) => boolean;
  /** Maximum JSON nesting depth. */
  maxDepth: number;
  /** Whether long dead resources are requested too: in the first harvest of a week, or if the operator wants more than usual. */
  requestsAll: boolean;
  /** IDs of the repositories, as known so far. */
  repositories: Set<string>;
  /** What was taken for foreign by them, with the key of the resource that names it. */
  foreign: Array<{ resource: DiscoveredResource; referrer: string | null | undefined }>;
  /** Responses that were requested before the crawl, by resource key. Each is used once. */
  prefetched: Map<string, Promise<ClientResponse>>;
  signal: AbortSignal | undefined;
}

/**
 * Fetches one resource. Failures are part of the outcome. Rejects only with the signal's reason, or with a `FetchError` that is
 * `hostUnreachable` if the host is unreachable; the resource then stays in the frontier.
 */
export async function fetchResource(resource: DiscoveredResource, context: FetchContext): Promise<Outcome> {
  const { client, baseUrls, store, full, isRecent, maxDepth, prefetched, repositories, signal } = context;
  const key = keyOf(resource);
  const problem = resourceProblem(resource);
  const unrequested = { attempts: 0, transient: false };
  if (problem !== undefined) return failureOutcome(resource, context, { ...unrequested, status: undefined, cause: problem });
  const past = readPastRequests(store, key);
  if (isForeign(resource, past?.referrer, repositories)) {
    context.foreign.push({ resource, referrer: past?.referrer });
    return { resource, attempts: 0, foreign: true, discovered: [] };
  }
  const failedRuns = past?.failedRuns ?? 0;
  if (failedRuns >= RUNS_UNTIL_WEEKLY && past && !context.requestsAll)
    return failureOutcome(resource, context, { ...unrequested, status: past.status ?? undefined, cause: past.cause });
  const stored = full ? undefined : readBodyByKey(store, key);
  const { listEntry } = resource;
  if (stored?.checkedAt && (listEntry || resource.kind === 'narrator') && isRecent(stored.checkedAt)) {
    const payload = parseBody(stored);
    if (!listEntry || isUnchanged(listEntry, payload)) return confirmStored(resource, context, payload, 0, undefined, undefined);
  }
  let payload: unknown;
  const validate = (received: UpstreamResponse): ValidationProblem | undefined => {
    const read = readBody(received, maxDepth);
    payload = read.payload;
    return read.problem;
  };
  // More attempts are of little use for a guessed list; or after 500, if it failed before or only the guide names it.
  const isExpectedToFail =
    isSpeculativeList(resource) || (past?.status === 500 && (failedRuns > 0 || isNamedByGuide(past.referrer)));
  try {
    const pending = prefetched.get(key);
    prefetched.delete(key);
    const early = await pending?.catch(ignoreConnectionFailure);
    if (early) validate(early);
    const response =
      early ??
      (await client.get(urlOf(resource, baseUrls), {
        conditionalHeaders: stored?.validators ? (JSON.parse(stored.validators) as Record<string, string>) : undefined,
        validate,
        maxAttempts: isExpectedToFail ? 1 : undefined,
        signal,
      }));
    const { attempts, ...received } = response;
    if (received.status === 304 && stored) {
      return confirmStored(resource, context, parseBody(stored), attempts, 304, received.fetchedAt);
    }
    const reading = extractSafely(resource, payload, baseUrls);
    const { problem, otherId } = reading;
    if (problem) {
      const movedTo = otherId !== undefined && isUrlOf(received.url, otherId, baseUrls) ? otherId : undefined;
      const cause = movedTo === undefined ? problem : movedCause(movedTo);
      const transient = movedTo === undefined;
      const failed = failureOutcome(resource, context, { attempts, status: received.status, cause, transient });
      return { ...failed, discovered: [...reading.discovered, ...failed.discovered] };
    }
    const discovered = discoveredIn(resource, reading, context.listTracker);
    learnRepositories(resource, discovered, repositories);
    return { resource, attempts, received, model: reading.model, discovered };
  } catch (error) {
    if (!(error instanceof FetchError) || error.hostUnreachable) throw error;
    const { attempts, status, message: cause } = error;
    const transient = error.transient && !(status === 500 && failedRuns > 0);
    return failureOutcome(resource, context, { attempts, status, cause, transient }, past);
  }
}

/** Whether the URL of a response is that of a record: upstream has redirected to it. */
function isUrlOf(url: string, id: string, baseUrls: BaseUrls): boolean {
  const [path, expected] = [url, urlOf({ kind: 'object', name: id }, baseUrls)].map((each) => new URL(each).pathname);
  return path?.replace(/\/$/, '') === expected?.replace(/\/$/, '');
}

/** Ignores that an early request got no response, because the crawl sends it again. Throws any other error. */
function ignoreConnectionFailure(error: unknown): undefined {
  if (!(error instanceof FetchError) || error.status !== undefined || isNonRetryable(error)) throw error;
}

/**
 * Requests seeds before a snapshot exists to store them in. Returns the pending responses by resource key; a failure rejects the
 * promise of its response.
 */
export function prefetch(
  resources: Resource[],
  { client, baseUrls, maxDepth, signal }: Pick<FetchContext, 'client' | 'baseUrls' | 'maxDepth' | 'signal'>,
): Array<[key: string, response: Promise<ClientResponse>]> {
  return resources.map((resource) => {
    const validate = (received: UpstreamResponse) => readBody(received, maxDepth).problem;
    const response = client.get(urlOf(resource, baseUrls), { validate, signal });
    response.catch(() => undefined); // if it stays unused, its rejection must not be unhandled
    return [keyOf(resource), response];
  });
}

/** Parses a body. Returns its payload, or why it cannot be used. */
function readBody(
  { body, headers, url, redirects }: UpstreamResponse,
  maxDepth: number,
): { payload?: unknown; problem?: ValidationProblem } {
  const text = decodeBody(body, headers['content-type']);
  if (isDeeperThan(maxDepth, text))
    return {
      problem: { message: `the JSON is nested deeper than ${maxDepth} levels (--max-depth)`, retryable: false },
    };
  const payload = parseJson(text);
  if (payload !== undefined) return { payload };
  const source = redirects.length > 0 ? ` from ${url}` : '';
  return { problem: { message: `expected JSON, received ${describeBody(text)}${source}`, retryable: true } };
}

function discoveredIn(resource: DiscoveredResource, reading: ExtractedLinks, listTracker: ListTracker): DiscoveredResource[] {
  return reading.page ? [...listTracker.addPage(resource, reading.page), ...reading.discovered] : reading.discovered;
}

/** Extracts links from a payload. An unreadable payload is a failure of its own resource and does not stop the harvest. */
function extractSafely(resource: DiscoveredResource, payload: unknown, baseUrls: BaseUrls): ExtractedLinks {
  try {
    return extractLinks(resource, payload, baseUrls);
  } catch (error) {
    return { discovered: [], problem: `the response cannot be processed (${(error as Error).message})` };
  }
}

function failureOutcome(
  resource: DiscoveredResource,
  { listTracker, store }: FetchContext,
  { attempts, ...failure }: { attempts: number; status: number | undefined; cause: string; transient: boolean },
  past?: NonNullable<ReturnType<typeof readPastRequests>>,
): Outcome {
  const { status } = failure;
  const isDead = (past?.failedRuns ?? 0) >= RUNS_UNTIL_DEAD;
  // A list that fails as its record did says no more than the failure of the record.
  const reported =
    isSpeculativeList(resource) &&
    attempts > 0 &&
    !isNotFoundStatus(status) &&
    !(status === 500 && readPastRequests(store, keyOf({ kind: 'object', name: resource.name }))?.status === 500);
  const lists = attempts === 0 || (isDead && past?.isAbsent) ? [] : listsOfFailedRecord(resource, status);
  return {
    resource,
    attempts,
    failure: { ...failure, ...(reported ? { reported } : {}) },
    discovered: resource.page ? listTracker.addFailedPage(resource) : lists,
  };
}

/**
 * Returns the lists of a record that could not be fetched: upstream serves them from another query than the record
 * (docs/upstream-api.md, "Record links"). After HTTP 500, the files are always among them: upstream has a list of them if it has
 * the record. None for a speculative ID that does not exist.
 */
export function listsOfFailedRecord({ kind, name, speculative }: Resource, status: number | undefined): DiscoveredResource[] {
  if (kind !== 'object' || !isObjectId(name) || (speculative && (status === 500 || isNotFoundStatus(status)))) return [];
  const lists = new Set<ListKind>([...(status === 500 ? (['files'] as const) : []), ...listKindsForId(name)]);
  return [...lists].map((list) => ({ ...firstPage(list, name), speculative: true }));
}

/** Whether a list was requested only because its record failed. A 404 is then expected; other failures may hide records. */
function isSpeculativeList({ kind, page, speculative }: DiscoveredResource): boolean {
  return speculative === true && page?.offset === 0 && (kind === 'children' || kind === 'files');
}

/** Whether a status means that the resource does not exist, rather than that this attempt failed. */
function isNotFoundStatus(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function confirmStored(
  resource: DiscoveredResource,
  { baseUrls, listTracker }: FetchContext,
  payload: unknown,
  attempts: number,
  status: number | undefined,
  checkedAt: string | undefined,
): Outcome {
  return {
    resource,
    attempts,
    unchanged: { status, checkedAt },
    discovered: discoveredIn(resource, extractSafely(resource, payload, baseUrls), listTracker),
  };
}

/** Fields that differ between a list entry and its record even if nothing changed. */
const ENTRY_ONLY_FIELDS = new Set(['links', 'index', 'model']);

/** Whether a list entry has the modification date of the stored record, and differs from the record in no other field. */
function isUnchanged(entry: Record<string, unknown>, record: unknown): boolean {
  if (!isObject(record)) return false;
  const hasSameDate = ['record_lastmod', 'modified'].some(
    (field) => text(entry[field]) !== undefined && entry[field] === record[field],
  );
  return (
    hasSameDate &&
    Object.entries(entry).every(
      ([name, value]) => ENTRY_ONLY_FIELDS.has(name) || !(name in record) || isDeepStrictEqual(value, record[name]),
    )
  );
}

/** Describes a body that is not valid JSON, for a message. */
export function describeBody(body: string): string {
  const start = body.trimStart();
  if (start === '') return 'an empty body';
  if (start.startsWith('<')) return start.startsWith('<?xml') ? 'XML' : 'HTML';
  return /^[[{]/.test(start) ? 'truncated or malformed JSON' : start.includes('\uFFFD') ? 'bytes that are no text' : 'other text';
}
