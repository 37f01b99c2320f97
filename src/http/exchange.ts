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

/** An answer whose body is still on its way. */
export interface Arriving extends Omit<Received, 'body'> {
  /** As sent, whatever its encoding. To be read to its end, or dropped. */
  body: AsyncIterable<Buffer>;
  /** Ends the answer before its end; `cause` is then what reading it throws. */
  drop(cause?: Error): void;
}

export type Method = 'GET' | 'HEAD';

export interface Exchange {
  /** Any answer, whatever its status. Rejects as explained by `explainExchange`. */
  ask(url: string, headers: Record<string, string>, method?: Method): Promise<Received>;
  /** Any answer from its first byte on, of any length; one that comes slower than `LEAST_RATE` is given up. */
  open(url: string, headers: Record<string, string>): Promise<Arriving>;
  close(): Promise<void>;
}

/** Bytes a second that an answer of any length must have, over `timeout` each time. */
const LEAST_RATE = 1000;

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

  async function open(url: string, headers: Record<string, string>, method: Method = 'GET'): Promise<Arriving> {
    const answer = await request(url, { dispatcher, headers, method }).catch((cause: unknown) => {
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
    const history = ((answer.context as { history?: URL[] } | undefined)?.history ?? []).map(({ href }) => href);
    // Nobody may be reading when it is dropped: what went wrong is then known already.
    answer.body.on('error', () => undefined);
    return {
      url: history.at(-1) ?? url,
      fetchedAt: new Date().toISOString(),
      status: answer.statusCode,
      headers: flatten(answer.headers),
      redirects: history.slice(0, -1),
      body: answer.body as AsyncIterable<Buffer>,
      drop: (cause) => void answer.body.destroy(cause),
    };
  }

  async function ask(url: string, headers: Record<string, string>, method: Method = 'GET'): Promise<Received> {
    const { body: arriving, drop, ...answer } = await open(url, headers, method);
    const length = method === 'HEAD' ? 0 : Number(answer.headers['content-length']);
    const tooLarge = () => new Refused(`the body is larger than ${atMost}`);
    const chunks: Buffer[] = [];
    let size = 0;
    const deadline = setTimeout(
      () => drop(new Error(`the answer was not there in ${bodyTimeout / 1000} s${setBy('bodyTimeout')}`)),
      bodyTimeout,
    );
    try {
      if (length > maxBytes) throw tooLarge();
      for await (const chunk of arriving) {
        size += chunk.length;
        if (size > maxBytes) throw tooLarge();
        chunks.push(chunk);
      }
    } catch (error) {
      drop();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    return { ...answer, body: await unpack(body, answer.headers['content-encoding'], maxBytes, atMost) };
  }

  /** Watches that an answer comes at all fast enough to end some day. */
  function paced({ body, drop, ...answer }: Arriving): Arriving {
    let received = 0;
    const least = LEAST_RATE * (timeout / 1000);
    const watch = setInterval(() => {
      if (received < least) drop(new Error(`the answer came slower than ${formatBytes(LEAST_RATE)} a second`));
      received = 0;
    }, timeout);
    async function* watched(): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of body) {
          received += chunk.length;
          yield chunk;
        }
      } finally {
        clearInterval(watch);
      }
    }
    return {
      ...answer,
      body: watched(),
      drop(cause) {
        clearInterval(watch);
        drop(cause);
      },
    };
  }
  return { ask, open: async (url, headers) => paced(await open(url, headers)), close: () => agent.close() };
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
