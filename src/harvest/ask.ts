/** Asks for one resource and makes an outcome of whatever comes: a body, word that nothing changed, or a failure. */
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

export interface Asking {
  client: Client;
  /** The addresses to ask. */
  bases: Bases;
  store: Store;
  lists: Lists;
  /** Hold no answer against what is stored: nothing is, or everything is to be asked for anew. */
  full: boolean;
  /** Bodies that upstream last confirmed before this moment (ISO 8601 in UTC) are asked for, whatever a list's line says. */
  trustSince: string;
  /** How deep JSON may be nested. */
  maxDepth: number;
  /** Answers received or pending, by their resources' keys. Each is used once. */
  ready: Map<string, Promise<Answer>>;
  signal: AbortSignal | undefined;
}

/** Rejects only with the signal's reason, or where a host as a whole cannot be reached (a FetchFailure that is `silent`): the resource then stays in the frontier. */
export async function ask(lead: Lead, asking: Asking): Promise<Outcome> {
  const { client, bases, store, full, trustSince, maxDepth, ready, signal } = asking;
  const key = keyOf(lead);
  const refusal = refusalOf(lead);
  if (refusal !== undefined) return fail(lead, asking, 0, undefined, refusal);
  const stored = full ? undefined : bodyByKey(store, key);
  if (stored?.checkedAt && stored.checkedAt >= trustSince && lead.line) {
    const payload = parseBody(stored);
    if (saysNothingNew(lead.line, payload)) return keepStored(lead, asking, payload, 0, undefined, undefined);
  }
  let payload: unknown;
  const problem = (received: Received): Problem | undefined => {
    const read = readBody(received, maxDepth);
    payload = read.payload;
    return read.problem;
  };
  try {
    const early = await ready.get(key)?.catch(unlessUnanswered);
    ready.delete(key);
    if (early) problem(early);
    const answer =
      early ??
      (await client.get(urlOf(lead, bases), {
        conditions: stored?.validators ? (JSON.parse(stored.validators) as Record<string, string>) : undefined,
        problem,
        signal,
      }));
    const { attempts, ...received } = answer;
    if (received.status === 304 && stored) {
      return keepStored(lead, asking, parseBody(stored), attempts, 304, received.fetchedAt);
    }
    const reading = readAs(lead, payload, bases);
    if (reading.problem) {
      const failed = fail(lead, asking, attempts, received.status, reading.problem);
      return { ...failed, found: [...reading.found, ...failed.found] };
    }
    return { resource: lead, attempts, received, model: reading.model, found: leads(lead, reading, asking.lists) };
  } catch (error) {
    if (!(error instanceof FetchFailure) || error.silent) throw error;
    return fail(lead, asking, error.attempts, error.status, error.message);
  }
}

/** Nothing where there was no answer at all: there may be one by now. @throws any other error */
function unlessUnanswered(error: unknown): undefined {
  if (!(error instanceof FetchFailure) || error.status !== undefined || isRefusal(error)) throw error;
}

/** Asks for resources that a harvest begins with, before there is a snapshot to keep them in. A failure is reported to whoever awaits the answer. */
export function askEarly(
  resources: Resource[],
  { client, bases, maxDepth, signal }: Pick<Asking, 'client' | 'bases' | 'maxDepth' | 'signal'>,
): Array<[key: string, answer: Promise<Answer>]> {
  return resources.map((resource) => {
    const problem = (received: Received) => readBody(received, maxDepth).problem;
    const answer = client.get(urlOf(resource, bases), { problem, signal });
    answer.catch(() => undefined); // nobody may await it
    return [keyOf(resource), answer];
  });
}

/** What a body holds, or why it cannot be used. */
function readBody({ body, headers }: Received, maxDepth: number): { payload?: unknown; problem?: Problem } {
  const text = decodeBody(body, headers['content-type']);
  if (isDeeperThan(maxDepth, text))
    return {
      problem: { message: `its JSON is nested deeper than ${maxDepth} levels, the limit that --max-depth sets`, passing: false },
    };
  const payload = parseJson(text);
  return payload === undefined
    ? { problem: { message: `the answer is ${kindOfText(text)}, not JSON`, passing: true } }
    : { payload };
}

function leads(lead: Lead, reading: Reading, lists: Lists): Lead[] {
  return reading.page ? [...lists.read(lead, reading.page), ...reading.found] : reading.found;
}

/** Reads a payload. Whatever it does to its reader is its own failure and stops nothing else. */
function readAs(lead: Lead, payload: unknown, bases: Bases): Reading {
  try {
    return follow(lead, payload, bases);
  } catch (error) {
    return { found: [], problem: `the answer cannot be processed (${(error as Error).message})` };
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

/** The lists of a record that could not be downloaded: the service has them by address, from another query than the record. An id that was only guessed and is absent has none. */
export function listsOfLost({ kind, name, guess }: Resource, status: number | undefined): Lead[] {
  if (kind !== 'object' || !isObjectId(name) || (guess && isAbsence(status))) return [];
  return listsByShape(name).map((list) => ({ ...firstPage(list, name), guess: true }));
}

/** Whether nobody named a list, and it is asked for since its record failed. Its absence is expected; any other failure may hide records. */
function isSpeculativeList({ kind, page, guess }: Lead): boolean {
  return guess === true && page?.offset === 0 && (kind === 'children' || kind === 'files');
}

/** Whether a status says that nothing is to be had here, rather than that it could not be had now. */
function isAbsence(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function keepStored(
  lead: Lead,
  { bases, lists }: Asking,
  payload: unknown,
  attempts: number,
  status: number | undefined,
  checkedAt: string | undefined,
): Outcome {
  return { resource: lead, attempts, unchanged: { status, checkedAt }, found: leads(lead, readAs(lead, payload, bases), lists) };
}

/** What a list's line says in its own way: they differ from the record's although nothing changed. */
const OWN_TO_LINES = new Set(['links', 'index', 'model']);

/** Whether a list's line bears the stored record's own date of last change, and contradicts the record in nothing else. */
function saysNothingNew(line: Record<string, unknown>, record: unknown): boolean {
  if (!isObject(record)) return false;
  const dated = ['record_lastmod', 'modified'].some((field) => text(line[field]) !== undefined && line[field] === record[field]);
  return (
    dated &&
    Object.entries(line).every(
      ([name, value]) => OWN_TO_LINES.has(name) || !(name in record) || isDeepStrictEqual(value, record[name]),
    )
  );
}

/** What stands in a body that is no JSON, in words. */
export function kindOfText(body: string): string {
  const start = body.trimStart();
  return start === ''
    ? 'empty'
    : start.startsWith('<')
      ? 'a web page'
      : /^[[{]/.test(start)
        ? 'cut short or broken'
        : 'something else';
}
