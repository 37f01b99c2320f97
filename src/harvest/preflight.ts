/** Checks both base URLs before anything is written, so that a wrong one ends in one message and leaves no snapshot. */
import type { Answer, Client } from '../http/client.ts';
import { FetchFailure, isRefusal } from '../http/failure.ts';
import { UserError } from '../model/errors.ts';
import { decodeBody, parseJson } from '../model/json.ts';
import { type Bases, keyOf, urlOf } from '../model/resources.ts';
import { kindOfText } from './ask.ts';
import { follow } from './follow.ts';
import { firstPage } from './lists.ts';

/** What is known before the crawl starts. */
export interface Ready {
  /** Base URLs for requests: those that the operator gave, with the scheme that the host redirects to. */
  bases: Bases;
  /** Responses received or pending, by resource key. */
  answers: Map<string, Promise<Answer>>;
}

/**
 * Fetches the authors list, and sends one request to the records API if that is on another host.
 *
 * @throws {UserError} if the guide API has no authors list, if the records API does not respond, or, unless `mayBeEmpty`, if the list is empty
 */
export async function preflight(
  bases: Bases,
  client: Client,
  { mayBeEmpty, signal }: { mayBeEmpty: boolean; signal?: AbortSignal | undefined },
): Promise<Ready> {
  const first = firstPage('authors', '');
  const url = urlOf(first, bases);
  const response = await client.get(url, { signal }).catch((error: unknown) => {
    throw unusable(error, url, '--authors-url');
  });
  const text = decodeBody(response.body, response.headers['content-type']);
  const { problem, page } = follow(first, parseJson(text), bases);
  if (problem)
    throw new UserError(
      `${url} returned ${describe(kindOfText(text))} instead of the authors list. Check --authors-url: it is the part before /api/3.0/.`,
    );
  if (!mayBeEmpty && page?.items.length === 0 && (page.total ?? 0) === 0 && page.nextOffset === undefined)
    throw new UserError(
      `The authors list at ${url} is empty, so the harvest has no seeds. Check --authors-url, or add seed records with --root.`,
    );
  const authors = schemeOf(response.url, bases.authors);
  const answers = new Map([[keyOf(first), Promise.resolve(response)]]);
  if (new URL(bases.catalog).host === new URL(bases.authors).host) {
    return { bases: { authors, catalog: schemeOf(response.url, bases.catalog) }, answers };
  }
  const catalog = `${bases.catalog}/api/0.2/`;
  const catalogResponse = await client.get(catalog, { signal }).catch((error: unknown) => {
    // An error status will do: upstream need not have a catalog index, but it must respond.
    if (!(error instanceof FetchFailure) || error.status === undefined) throw unusable(error, catalog, '--catalog-url');
  });
  return {
    bases: { authors, catalog: catalogResponse ? schemeOf(catalogResponse.url, bases.catalog) : bases.catalog },
    answers,
  };
}

/** Returns a base URL with the scheme of a URL that its host redirected to, so that not every request is redirected. */
export function schemeOf(url: string, base: string): string {
  const { protocol, host } = new URL(url);
  return host === new URL(base).host ? base.replace(/^https?:/, protocol) : base;
}

/** A JSON value that is not a list comes here too, so the message must not call it malformed. */
function describe(kind: string): string {
  return kind === 'an empty body' ? 'an empty response' : kind === 'truncated or malformed JSON' ? 'other JSON' : kind;
}

function unusable(error: unknown, url: string, option: string): unknown {
  if (!(error instanceof FetchFailure)) return error;
  const { message, status, attempts } = error;
  if (status !== undefined)
    return new UserError(`${url} returned ${message}. Check ${option}: it is the part before /api/.`, { cause: error });
  if (attempts === 0 || isRefusal(error)) return new UserError(`${url} was not requested: ${message}.`, { cause: error });
  return new UserError(
    `No response from ${url} (${message}). Check ${option} and the network, then run the same command again.`,
    {
      cause: error,
    },
  );
}
