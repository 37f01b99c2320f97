/** Asks upstream once before anything is touched, so that a wrong address is one sentence and no snapshot. */
import type { Answer, Client } from '../http/client.ts';
import { FetchFailure, isRefusal } from '../http/failure.ts';
import { UserError } from '../model/errors.ts';
import { decodeBody, parseJson } from '../model/json.ts';
import { type Bases, keyOf, urlOf } from '../model/resources.ts';
import { kindOfText } from './ask.ts';
import { follow } from './follow.ts';
import { firstPage } from './lists.ts';

/** What is known before the first request of the crawl. */
export interface Ready {
  /** The addresses to ask: as the user named them, with the scheme that the host sends everybody to. */
  bases: Bases;
  /** Answers received or pending, by their resources' keys. */
  answers: Map<string, Promise<Answer>>;
}

/** @throws UserError when there is no authors list at the one address, or nobody at the other; and where the list is empty, unless it may be. */
export async function preflight(
  bases: Bases,
  client: Client,
  { mayBeEmpty, signal }: { mayBeEmpty: boolean; signal?: AbortSignal | undefined },
): Promise<Ready> {
  const first = firstPage('authors', '');
  const url = urlOf(first, bases);
  const answer = await client.get(url, { signal }).catch((error: unknown) => {
    throw unusable(error, url, '--authors-url');
  });
  const text = decodeBody(answer.body, answer.headers['content-type']);
  const { problem, page } = follow(first, parseJson(text), bases);
  if (problem)
    throw new UserError(
      `${url} answers with ${wordsFor(kindOfText(text))} instead of the authors list: check --authors-url; it is the part before /api/3.0/.`,
    );
  if (!mayBeEmpty && page?.items.length === 0 && (page.total ?? 0) === 0 && page.nextOffset === undefined)
    throw new UserError(
      `The authors list at ${url} is empty, so there is nothing to begin with: check --authors-url, or name records to begin with (--root).`,
    );
  const authors = schemeOf(answer.url, bases.authors);
  const answers = new Map([[keyOf(first), Promise.resolve(answer)]]);
  if (new URL(bases.catalog).host === new URL(bases.authors).host) {
    return { bases: { authors, catalog: schemeOf(answer.url, bases.catalog) }, answers };
  }
  const catalog = `${bases.catalog}/api/0.2/`;
  const there = await client.get(catalog, { signal }).catch((error: unknown) => {
    // Nothing need stand there itself; what counts is that somebody answers.
    if (!(error instanceof FetchFailure) || error.status === undefined) throw unusable(error, catalog, '--catalog-url');
  });
  return {
    bases: { authors, catalog: there ? schemeOf(there.url, bases.catalog) : bases.catalog },
    answers,
  };
}

/** A base with the scheme under which the same host answered, so that not every request is a redirect. */
export function schemeOf(answered: string, base: string): string {
  const { protocol, host } = new URL(answered);
  return host === new URL(base).host ? base.replace(/^https?:/, protocol) : base;
}

function wordsFor(kind: string): string {
  return kind === 'empty' ? 'nothing' : kind === 'cut short or broken' ? 'broken JSON' : kind;
}

function unusable(error: unknown, url: string, flag: string): unknown {
  if (!(error instanceof FetchFailure)) return error;
  const { message, status, attempts } = error;
  if (status !== undefined)
    return new UserError(`${url} answers with ${message}: check ${flag}; it is the part before /api/.`, { cause: error });
  if (attempts === 0 || isRefusal(error)) return new UserError(`${url} was not asked: ${message}.`, { cause: error });
  return new UserError(`No answer from ${url} (${message}): check ${flag} and the network, then run the same command again.`, {
    cause: error,
  });
}
