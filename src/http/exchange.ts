/** One request and its answer, bounded in where it goes, how long it takes and how much it holds. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, type Dispatcher, errors, interceptors, request } from 'undici';
import { formatBytes } from '../model/durations.ts';
import type { Received } from '../snapshot/write.ts';
import { guardedLookup } from './addresses.ts';
import { Refused } from './failure.ts';

export interface Limits {
  /** Hosts (`name:port`; the port only where it is not the scheme's own) that may be asked, also by redirect. */
  hosts: ReadonlySet<string>;
  /** Milliseconds to wait for a connection, and for an answer's headers. */
  timeout: number;
  /** Milliseconds that the body may take as a whole. */
  bodyTimeout: number;
  /** Bytes that a body may have, as sent and when unpacked. */
  maxBytes: number;
  maxRedirects: number;
  /** The options that set the limits, to be named where one is reached. */
  optionNames?: Partial<Record<'maxBytes' | 'bodyTimeout' | 'maxRedirects', string>>;
}

export interface Exchange {
  /** Any answer, whatever its status. Rejects as explained by `explainExchange`. */
  ask(url: string, headers: Record<string, string>): Promise<Received>;
  close(): Promise<void>;
}

export function createExchange(limits: Limits, connections: number): Exchange {
  const { hosts, timeout, bodyTimeout, maxBytes, maxRedirects } = limits;
  const setBy = (limit: keyof NonNullable<Limits['optionNames']>) =>
    limits.optionNames?.[limit] ? `, the limit that ${limits.optionNames[limit]} sets` : '';
  const atMost = `${formatBytes(maxBytes)}${setBy('maxBytes')}`;
  const agent = new Agent({
    connections,
    connect: {
      timeout,
      lookup: guardedLookup(new Set([...hosts].map((host) => new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')))),
    },
    headersTimeout: timeout,
    bodyTimeout,
  });
  const dispatcher = agent.compose(
    onlyHosts(hosts),
    interceptors.redirect({ maxRedirections: maxRedirects, throwOnMaxRedirect: true }),
  );

  async function ask(url: string, headers: Record<string, string>): Promise<Received> {
    const answer = await request(url, { dispatcher, headers }).catch((cause: unknown) => {
      // Addresses of our own are always good: what these complain of is where a redirect leads.
      if (cause instanceof errors.MaxRedirectsError)
        throw new Refused(`it redirects more than ${maxRedirects} times${setBy('maxRedirects')}`, { cause });
      if (cause instanceof errors.InvalidArgumentError)
        throw new Refused(
          /loop/.test(cause.message) ? 'it redirects to itself' : 'it redirects to an address that cannot be followed',
          { cause },
        );
      throw cause;
    });
    const length = Number(answer.headers['content-length']);
    const tooLarge = () => new Refused(`the body is larger than ${atMost}`);
    const chunks: Buffer[] = [];
    let size = 0;
    const deadline = setTimeout(
      () => answer.body.destroy(new Error(`the answer was not there in ${bodyTimeout / 1000} s${setBy('bodyTimeout')}`)),
      bodyTimeout,
    );
    try {
      if (length > maxBytes) throw tooLarge();
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw tooLarge();
        chunks.push(chunk);
      }
    } catch (error) {
      answer.body.destroy();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
    const flat = flatten(answer.headers);
    const history = ((answer.context as { history?: URL[] } | undefined)?.history ?? []).map(({ href }) => href);
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    return {
      url: history.at(-1) ?? url,
      fetchedAt: new Date().toISOString(),
      status: answer.statusCode,
      headers: flat,
      body: await unpack(body, flat['content-encoding'], maxBytes, atMost),
      redirects: history.slice(0, -1),
    };
  }
  return { ask, close: () => agent.close() };
}

const UNPACK = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Undoes a content encoding, though none was asked for; no more than `maxBytes` are ever unpacked. */
async function unpack(body: Buffer, encoding: string | undefined, maxBytes: number, atMost: string): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === '' || name === 'identity' || body.length === 0) return body;
  if (!(name in UNPACK)) throw new Refused(`the body has the encoding ${name}, which cannot be undone`);
  try {
    return await UNPACK[name as keyof typeof UNPACK](body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refused(`the body unpacks to more than ${atMost}`, { cause });
    throw new Error(`the body’s ${name} encoding is broken`, { cause });
  }
}

/** Refuses every request, redirects included, to a host that is not on the list. */
function onlyHosts(hosts: ReadonlySet<string>): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const { host } = new URL(String(opts.origin));
    if (!hosts.has(host)) throw new Refused(`${host} is not a host that was named; add it with --allow-host if it is meant`);
    return dispatch(opts, handler);
  };
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
