/** Checks both base URLs before anything is written, so that a wrong one causes one error message and no snapshot. */
import { type Client, PROBE } from '../http/client.ts';
import { FetchError, isNonRetryable, ProxyError } from '../http/errors.ts';
import { NoRecordsError, RetryLaterError, UpstreamError } from '../model/errors.ts';
import { decodeBody, parseJson } from '../model/json.ts';
import { type BaseUrls, keyOf, urlOf } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { INDEX_RESOURCE, readIndex } from './catalog-index.ts';
import { extractLinks } from './extract-links.ts';
import { describeBody } from './fetch-resource.ts';
import { firstPage } from './list-tracker.ts';

/**
 * Fetches the authors list, and the catalog index if the records API is on another host, or no repository is known.
 * @throws {UpstreamError} if the guide API has no authors list, or if the records API does not respond
 * @throws {NoRecordsError} if the list is empty, unless `mayBeEmpty`
 */
export async function preflight(
  baseUrls: BaseUrls,
  client: Client,
  options: { mayBeEmpty: boolean; knowsRepositories: boolean; signal?: AbortSignal | undefined },
) {
  const { mayBeEmpty, knowsRepositories, signal } = options;
  const first = firstPage('authors', '');
  const url = urlOf(first, baseUrls);
  const response = await client.get(url, { signal, maxDelays: Number.POSITIVE_INFINITY }).catch(async (error: unknown) => {
    if (error instanceof FetchError && error.status !== undefined) await assertNoSuccessor(baseUrls.authors, client, signal);
    throw unusableUpstreamError(error, url, '--authors-url');
  });
  const text = decodeBody(response.body, response.headers['content-type']);
  const { problem, page } = extractLinks(first, parseJson(text), baseUrls);
  // It may redirect what was requested to its own list, whose entries have slugs and no IDs.
  const isOfSuccessor = page?.items.some(({ id, slug }) => id === undefined && typeof slug === 'string');
  if (page && (isOfSuccessor || response.url.includes('/api/1.0/'))) throw successorError(baseUrls.authors);
  if (problem) await assertNoSuccessor(baseUrls.authors, client, signal);
  if (problem)
    throw new UpstreamError(
      `${url} returned ${describe(describeBody(text))} instead of the authors list. Check --authors-url: it is the part before /api/3.0/.`,
    );
  if (!mayBeEmpty && page?.items.length === 0 && (page.total ?? 0) === 0 && page.nextOffset === undefined)
    throw new NoRecordsError(
      `The authors list at ${url} is empty, so the harvest has no seeds. Check --authors-url, or add seed records with --root.`,
    );
  const authors = withScheme(response.url, baseUrls.authors);
  const prefetched = new Map([[keyOf(first), Promise.resolve(response)]]);
  const isOneHost = new URL(baseUrls.catalog).host === new URL(baseUrls.authors).host;
  const catalog = urlOf(INDEX_RESOURCE, baseUrls);
  const received =
    isOneHost && knowsRepositories
      ? undefined
      : await client.get(catalog, { ...(isOneHost ? PROBE : {}), signal }).catch((error: unknown) => {
          // An error status is acceptable: upstream need not have a catalog index, but it must respond.
          if (!(error instanceof FetchError) || (error.status === undefined && !isOneHost))
            throw unusableUpstreamError(error, catalog, '--catalog-url');
        });
  const index = received && readIndex(parseJson(decodeBody(received.body, received.headers['content-type'])), baseUrls);
  if (received && index) prefetched.set(keyOf(INDEX_RESOURCE), Promise.resolve(received));
  const catalogUrl = (isOneHost ? response : received)?.url ?? baseUrls.catalog;
  return {
    /** Base URLs for requests: those that the operator gave, with the scheme that the host redirects to. */
    baseUrls: { authors, catalog: withScheme(catalogUrl, baseUrls.catalog) },
    /** Responses received or pending, by resource key. */
    prefetched,
    /** IDs of the repositories that the catalog index names, if it was requested. */
    repositories: (index?.ways ?? []).flatMap(({ way, resources }) =>
      way === 'repository' ? resources.map(({ name }) => name) : [],
    ),
  };
}

/**
 * Recognizes a guide that has been replaced by its successor, which has another API (docs/upstream-api.md, "Guide API").
 * @throws {UpstreamError} if the host serves API 1.0
 */
async function assertNoSuccessor(base: string, client: Client, signal: AbortSignal | undefined): Promise<void> {
  const response = await client.get(`${base}/api/1.0/articles/`, { ...PROBE, signal }).catch(() => undefined);
  const payload = response && parseJson(decodeBody(response.body, response.headers['content-type']));
  const list: Record<string, unknown> = isObject(payload) ? payload : { payload };
  const articles = Object.values(list).find(Array.isArray);
  // Its lists have pages with numbers, and its articles have slugs. Other JSON may be that of a page for maintenance.
  if (articles && (typeof list['page'] === 'number' || articles.some((one) => isObject(one) && typeof one['slug'] === 'string')))
    throw successorError(base);
}

function successorError(base: string): UpstreamError {
  return new UpstreamError(
    `${base} now serves API 1.0 of the guide. This version of Microfiche reads API 3.0 only. What was harvested from 3.0 is kept: the snapshot and the site stay as they are. Look for a newer version of Microfiche.`,
  );
}

/** Returns a base URL with the scheme that its host redirected to, which saves a redirect per request. */
export function withScheme(url: string, base: string): string {
  const { protocol, host } = new URL(url);
  return host === new URL(base).host ? base.replace(/^https?:/, protocol) : base;
}

/** Also describes JSON values that are not lists, so the message must not call them malformed. */
function describe(kind: string): string {
  return kind === 'an empty body' ? 'an empty response' : kind === 'truncated or malformed JSON' ? 'other JSON' : kind;
}

function unusableUpstreamError(error: unknown, url: string, option: string): unknown {
  if (!(error instanceof FetchError)) return error;
  const { message, status, attempts, resumeAt } = error;
  const cause = { cause: error };
  if (resumeAt !== undefined) return new RetryLaterError(`${message}. Run the same command again then.`, cause);
  if (status !== undefined) return new UpstreamError(`${url} returned ${message}. ${adviceAfter(status, url, option)}`, cause);
  if (attempts === 0 || isNonRetryable(error)) return new UpstreamError(`${url} was not requested: ${message}.`, cause);
  return new UpstreamError(
    `No response from ${url} (${message}). Check ${error.cause instanceof ProxyError ? 'the proxy and the network' : `${option}, the network and, if there is one, the proxy`}.`,
    cause,
  );
}

function adviceAfter(status: number, url: string, option: string): string {
  if (status === 401) return 'The archive asks for a password; Microfiche does not log in.';
  const also = status === 403 ? ' The archive may ask for a password; Microfiche does not log in.' : '';
  // So most servers respond to HTTP where they expect TLS.
  const scheme = status === 400 && url.startsWith('http:') ? ' If this port is for TLS, try https://.' : '';
  return `Check ${option}: it is the part before /api/.${also}${scheme}`;
}
