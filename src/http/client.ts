/** Asks upstream's hosts: bounded, patient with passing faults, and never anyone whom the user did not name. */
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Agent, type Dispatcher, interceptors, request } from 'undici';
import type { Received } from '../snapshot/write.ts';

export interface ClientOptions {
  /** Hosts (`name:port`) that may be asked; a redirect to any other one is refused. */
  hosts: ReadonlySet<string>;
  /** Connections at once to a host. */
  concurrency: number;
  /** Milliseconds to wait for headers, and again for each part of the body. */
  timeout: number;
  /** Tries in all, at least 1. */
  attempts: number;
  /** Milliseconds before the second try; doubles with each further one, up to 30 s. */
  backoff: number;
  /** Bytes that a body may have. */
  maxBytes: number;
  userAgent: string;
  /** The Accept header; JSON where it is left out. */
  accept?: string;
}

export interface Client {
  /** One body with status 200. @throws FetchFailure */
  get(url: string): Promise<Received & { attempts: number }>;
  close(): Promise<void>;
}

/** An answer that could not be had, after all tries. `status` is undefined when no answer came. */
export class FetchFailure extends Error {
  override name = 'FetchFailure';
  readonly status: number | undefined;
  readonly attempts: number;
  constructor(message: string, status: number | undefined, attempts: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.attempts = attempts;
  }
}

const PASSING_STATUS = new Set([408, 425, 429, 500, 502, 503, 504]);
const MAX_BACKOFF = 30_000;
const MAX_REDIRECTS = 5;

class HostRefused extends Error {
  override name = 'HostRefused';
}
class TooLarge extends Error {
  override name = 'TooLarge';
}

export function createClient(options: ClientOptions): Client {
  const agent = new Agent({
    connections: options.concurrency,
    connectTimeout: options.timeout,
    headersTimeout: options.timeout,
    bodyTimeout: options.timeout,
  });
  const dispatcher = agent.compose(
    onlyHosts(options.hosts),
    interceptors.redirect({ maxRedirections: MAX_REDIRECTS, throwOnMaxRedirect: true }),
  );
  /** When each host may be asked again, by its own Retry-After. */
  const pausedUntil = new Map<string, number>();

  async function once(url: string): Promise<Received> {
    const answer = await request(url, {
      dispatcher,
      headers: { accept: options.accept ?? 'application/json', 'user-agent': options.userAgent },
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body) {
      size += (chunk as Buffer).length;
      if (size > options.maxBytes) throw new TooLarge(`the body is larger than ${options.maxBytes} bytes`);
      chunks.push(chunk as Buffer);
    }
    const headers = flatten(answer.headers);
    const history = (answer.context as { history?: URL[] } | undefined)?.history;
    return {
      url: history?.at(-1)?.href ?? url,
      fetchedAt: new Date().toISOString(),
      status: answer.statusCode,
      headers,
      body: decompress(Buffer.concat(chunks), headers['content-encoding'], options.maxBytes),
    };
  }

  return {
    async get(url) {
      const host = new URL(url).host;
      for (let attempt = 1; ; attempt++) {
        const pause = (pausedUntil.get(host) ?? 0) - Date.now();
        if (pause > 0) await sleep(pause);
        const last = attempt >= options.attempts;
        let wait = Math.min(MAX_BACKOFF, options.backoff * 2 ** (attempt - 1));
        try {
          const received = await once(url);
          if (received.status === 200) return { ...received, attempts: attempt };
          if (last || !PASSING_STATUS.has(received.status))
            throw new FetchFailure(`HTTP ${received.status}`, received.status, attempt);
          const asked = retryAfter(received.headers['retry-after']);
          if (asked !== undefined) {
            pausedUntil.set(host, Date.now() + Math.min(asked, 10 * MAX_BACKOFF));
            wait = 0;
          }
        } catch (error) {
          if (error instanceof FetchFailure) throw error;
          if (last || error instanceof HostRefused || error instanceof TooLarge)
            throw new FetchFailure(describe(error), undefined, attempt, { cause: error });
        }
        await sleep(wait * (0.5 + Math.random() / 2));
      }
    },
    close: () => agent.close(),
  };
}

/** Undoes a content encoding, though none was asked for, to at most `maxBytes`. */
function decompress(body: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const limits = { maxOutputLength: maxBytes };
  try {
    switch (encoding?.trim().toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(body, limits);
      case 'deflate':
        return inflateSync(body, limits);
      case 'br':
        return brotliDecompressSync(body, limits);
      default:
        return body;
    }
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new TooLarge(`the body unpacks to more than ${maxBytes} bytes`, { cause });
    throw new Error(`the body's ${encoding} encoding is broken`, { cause });
  }
}

/** Refuses every request, redirects included, to a host that is not on the list. */
function onlyHosts(hosts: ReadonlySet<string>): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const origin = new URL(String(opts.origin));
    if (!hosts.has(origin.host))
      throw new HostRefused(`${origin.host} is not a host that was named; add it with --allow-host if it is meant`);
    return dispatch(opts, handler);
  };
}

/** Milliseconds out of a Retry-After header, which gives seconds or a date. */
export function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

const CODES: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half-way',
  UND_ERR_SOCKET: 'the connection was closed half-way',
};

function describe(error: unknown): string {
  const code = (error as { code?: string }).code ?? ((error as Error).cause as { code?: string } | undefined)?.code;
  return (code !== undefined && CODES[code]) || (error as Error).message || String(error);
}
