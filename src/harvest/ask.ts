/** Fetches one resource and returns its outcome: a body, a confirmation that nothing changed, or a failure. */
import { isDeepStrictEqual } from 'node:util';
import type { Answer, Client, Problem } from '../http/client.ts';
import { FetchFailure, isRefusal } from '../http/failure.ts';
import { isObjectId, listsByShape } from '../model/ids.ts';
import { decodeBody, isDeeperThan, parseJson } from '../model/json.ts';
import type { Received } from '../model/received.ts';
import { type Bases, keyOf, type Resource, refusalOf, urlOf } from '../model/resources.ts';
import { isObject, text } from '../model/values.ts';
import { bodyByKey, parseBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { Lead, Outcome } from '../snapshot/write.ts';
import { follow, type Reading } from './follow.ts';
import { firstPage, type Lists } from './lists.ts';

/** What one run of a harvest needs to fetch its resources. */
export interface Asking {
  client: Client;
  /** Base URLs that requests are sent to. */
  bases: Bases;
  store: Store;
  lists: Lists;
  /** Fetches every resource as if nothing were stored: no conditional requests, no stored body confirmed by a list entry. */
  full: boolean;
  /** ISO 8601 in UTC. A body that upstream last confirmed before this time is revalidated, even if its list entry is unchanged. */
  trustSince: string;
  /** Maximum JSON nesting depth. */
  maxDepth: number;
  /** Responses that were requested before the crawl, by resource key. Each is used once. */
  ready: Map<string, Promise<Answer>>;
  signal: AbortSignal | undefined;
}

/**
 * Fetches one resource. Failures are part of the outcome. Rejects only with the signal's reason, or with a `FetchFailure` that is `silent`
 * if the host is unreachable; the resource then stays in the frontier.
 */
export async function ask(lead: Lead, asking: Asking): Promise<Outcome> {
  const { client, bases, store, full, trustSince, maxDepth, ready, signal } = asking;
  const key = keyOf(lead);
  const refusal = refusalOf(lead);
  if (refusal !== undefined) return fail(lead, asking, 0, undefined, refusal);
  const stored = full ? undefined : bodyByKey(store, key);
  if (stored?.checkedAt && stored.checkedAt >= trustSince && lead.line) {
    const payload = parseBody(stored);
    if (isUnchanged(lead.line, payload)) return confirmStored(lead, asking, payload, 0, undefined, undefined);
  }
  let payload: unknown;
  const problem = (received: Received): Problem | undefined => {
    const read = readBody(received, maxDepth);
    payload = read.payload;
    return read.problem;
  };
  try {
    const early = await ready.get(key)?.catch(ignoreConnectionFailure);
    ready.delete(key);
    if (early) problem(early);
    const response =
      early ??
      (await client.get(urlOf(lead, bases), {
        conditions: stored?.validators ? (JSON.parse(stored.validators) as Record<string, string>) : undefined,
        problem,
        signal,
      }));
    const { attempts, ...received } = response;
    if (received.status === 304 && stored) {
      return confirmStored(lead, asking, parseBody(stored), attempts, 304, received.fetchedAt);
    }
    const reading = readAs(lead, payload, bases);
    if (reading.problem) {
      const failed = fail(lead, asking, attempts, received.status, reading.problem);
      return { ...failed, found: [...reading.found, ...failed.found] };
    }
    return { resource: lead, attempts, received, model: reading.model, found: discoveredIn(lead, reading, asking.lists) };
  } catch (error) {
    if (!(error instanceof FetchFailure) || error.silent) throw error;
    return fail(lead, asking, error.attempts, error.status, error.message);
  }
}

/** Ignores that an early request got no response: the crawl sends it again. Throws any other error. */
function ignoreConnectionFailure(error: unknown): undefined {
  if (!(error instanceof FetchFailure) || error.status !== undefined || isRefusal(error)) throw error;
}

/**
 * Requests seeds before a snapshot exists to store them in. Returns the pending responses by resource key; a failure rejects the promise of
 * its response.
 */
export function askEarly(
  resources: Resource[],
  { client, bases, maxDepth, signal }: Pick<Asking, 'client' | 'bases' | 'maxDepth' | 'signal'>,
): Array<[key: string, answer: Promise<Answer>]> {
  return resources.map((resource) => {
    const problem = (received: Received) => readBody(received, maxDepth).problem;
    const response = client.get(urlOf(resource, bases), { problem, signal });
    response.catch(() => undefined); // it may stay unused, and must not be an unhandled rejection then
    return [keyOf(resource), response];
  });
}

/** Parses a body, or says why it cannot be used. */
function readBody({ body, headers }: Received, maxDepth: number): { payload?: unknown; problem?: Problem } {
  const text = decodeBody(body, headers['content-type']);
  if (isDeeperThan(maxDepth, text))
    return {
      problem: { message: `the JSON is nested deeper than ${maxDepth} levels (--max-depth)`, passing: false },
    };
  const payload = parseJson(text);
  return payload === undefined
    ? { problem: { message: `expected JSON, received ${kindOfText(text)}`, passing: true } }
    : { payload };
}

function discoveredIn(lead: Lead, reading: Reading, lists: Lists): Lead[] {
  return reading.page ? [...lists.read(lead, reading.page), ...reading.found] : reading.found;
}

/** Reads a payload. A payload that cannot be read is a failure of its own resource and does not stop the harvest. */
function readAs(lead: Lead, payload: unknown, bases: Bases): Reading {
  try {
    return follow(lead, payload, bases);
  } catch (error) {
    return { found: [], problem: `the response cannot be processed (${(error as Error).message})` };
  }
}

function fail(lead: Lead, { lists }: Asking, attempts: number, status: number | undefined, cause: string): Outcome {
  const reported = isSpeculativeList(lead) && attempts > 0 && !isAbsence(status);
  return {
    resource: lead,
    attempts,
    failure: { status, cause, ...(reported ? { reported } : {}) },
    found: lead.page ? lists.failed(lead) : listsOfLost(lead, status),
  };
}

/**
 * Returns the lists of a record that could not be fetched: upstream serves them from another query than the record (docs/upstream-api.md,
 * "Record links"). None for a speculative ID that does not exist.
 */
export function listsOfLost({ kind, name, guess }: Resource, status: number | undefined): Lead[] {
  if (kind !== 'object' || !isObjectId(name) || (guess && isAbsence(status))) return [];
  return listsByShape(name).map((list) => ({ ...firstPage(list, name), guess: true }));
}

/** Whether nothing names a list, and it is requested because its record failed. A 404 is expected then; any other failure may hide records. */
function isSpeculativeList({ kind, page, guess }: Lead): boolean {
  return guess === true && page?.offset === 0 && (kind === 'children' || kind === 'files');
}

/** Whether a status means that the resource does not exist, rather than that this attempt failed. */
function isAbsence(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function confirmStored(
  lead: Lead,
  { bases, lists }: Asking,
  payload: unknown,
  attempts: number,
  status: number | undefined,
  checkedAt: string | undefined,
): Outcome {
  return {
    resource: lead,
    attempts,
    unchanged: { status, checkedAt },
    found: discoveredIn(lead, readAs(lead, payload, bases), lists),
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

/** Returns, for a message, what a body contains that is not valid JSON. */
export function kindOfText(body: string): string {
  const start = body.trimStart();
  return start === ''
    ? 'an empty body'
    : start.startsWith('<')
      ? 'HTML'
      : /^[[{]/.test(start)
        ? 'truncated or malformed JSON'
        : 'other text';
}
