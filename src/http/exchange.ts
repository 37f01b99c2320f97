/** Sends single HTTP requests, within limits for redirects, time and size. */
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { errors, request } from 'undici';
import type { Received } from '../model/received.ts';
import { formatBytes } from '../platform/durations.ts';
import type { AllowedHosts } from './addresses.ts';
import { AtHost, Refused } from './failure.ts';
import { onTrip, type Pipeline, type Trip } from './pipeline.ts';

/** Limits of each request. */
export interface Limits {
  /** Hosts that requests may go to, redirects included. */
  hosts: AllowedHosts;
  /** Milliseconds to wait for a connection, and for the response headers. */
  timeout: number;
  /** Milliseconds that a complete response body may take. */
  bodyTimeout: number;
  /** Maximum bytes of a response body, before and after decompression. */
  maxBytes: number;
  /** Maximum redirects per request. */
  maxRedirects: number;
  /** Names of the options that set these limits, for messages. */
  optionNames?: Partial<Record<'maxBytes' | 'bodyTimeout' | 'maxRedirects', string>>;
}

/** A response whose body is still arriving. */
export interface Arriving extends Omit<Received, 'body'> {
  /** The body as sent, with its content encoding. Read it to its end, or call `drop`. */
  body: AsyncIterable<Buffer>;
  /** Aborts the response. Reading its body then throws `cause`. */
  drop(cause?: Error): void;
}

interface OpenResponse extends Arriving {
  body: Readable & AsyncIterable<Buffer>;
}

/** The HTTP methods that we use. */
export type Method = 'GET' | 'HEAD';

/** How to send one request. */
export interface Asking {
  headers: Record<string, string>;
  trip: Trip;
  method?: Method;
  /** Set for robots.txt itself, which is fetched without checking robots.txt. */
  plain?: boolean;
}

/** Sends requests without retrying them. */
export interface Exchange {
  /** Returns the response of any status. Rejects with an error for `explainExchange`. */
  ask(url: string, init: Asking): Promise<Received>;
  /** Returns the response of any status and size once its headers arrive. A body slower than `MIN_BYTES_PER_SECOND` is aborted. */
  open(url: string, init: Asking): Promise<Arriving>;
}

/** Minimum speed of a streamed body, measured over periods of `timeout`. */
const MIN_BYTES_PER_SECOND = 1000;

/** Creates an exchange that sends its requests through a pipeline. */
export function createExchange(limits: Omit<Limits, 'hosts'>, pipeline: Pick<Pipeline, 'polite' | 'plain'>): Exchange {
  const { timeout, bodyTimeout, maxBytes, maxRedirects } = limits;
  const optionNote = (limit: keyof NonNullable<Limits['optionNames']>) =>
    limits.optionNames?.[limit] ? ` (${limits.optionNames[limit]})` : '';
  const sizeLimit = `${formatBytes(maxBytes)}${optionNote('maxBytes')}`;
  async function open(
    url: string,
    { headers, trip, method = 'GET', plain = false }: Asking,
    highWaterMark?: number,
  ): Promise<OpenResponse> {
    const dispatcher = plain ? pipeline.plain : pipeline.polite;
    const options = { dispatcher, headers, method, ...(highWaterMark === undefined ? {} : { highWaterMark }), ...onTrip(trip) };
    const response = await request(url, options).catch((error: unknown) => {
      const cause = error instanceof AtHost ? error.cause : error;
      // Our own URLs are valid, so these errors are about the target of a redirect.
      if (cause instanceof errors.MaxRedirectsError)
        throw new Refused(`it redirects more than ${maxRedirects} times${optionNote('maxRedirects')}`, { cause });
      if (cause instanceof errors.InvalidArgumentError)
        throw new Refused(
          /loop/.test(cause.message) ? 'it redirects to itself' : 'it redirects to a URL that cannot be followed',
          { cause },
        );
      throw error;
    });
    const history = ((response.context as { history?: URL[] } | undefined)?.history ?? []).map(({ href }) => href);
    // Nothing may be reading the body when it is dropped. The cause is known then.
    response.body.on('error', () => undefined);
    return {
      url: history.at(-1) ?? url,
      fetchedAt: new Date().toISOString(),
      status: response.statusCode,
      headers: flatten(response.headers),
      redirects: history.slice(0, -1),
      body: response.body,
      drop: (cause) => void response.body.destroy(cause),
    };
  }

  async function ask(url: string, init: Asking): Promise<Received> {
    const { body: stream, drop, ...response } = await open(url, init);
    const length = init.method === 'HEAD' ? 0 : Number(response.headers['content-length']);
    const tooLarge = () => new Refused(`the response body exceeds ${sizeLimit}`);
    const chunks: Buffer[] = [];
    let size = 0;
    const deadline = setTimeout(
      () => drop(new Error(`no complete response in ${bodyTimeout / 1000} s${optionNote('bodyTimeout')}`)),
      bodyTimeout,
    );
    try {
      if (length > maxBytes) throw tooLarge();
      for await (const chunk of stream) {
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
    return { ...response, body: await decompress(body, response.headers['content-encoding'], maxBytes, sizeLimit) };
  }

  /** Aborts a response that is too slow to end in reasonable time. */
  function withMinimumSpeed(response: OpenResponse, trip: Trip): Arriving {
    let receivedBefore = trip.received;
    const minimum = MIN_BYTES_PER_SECOND * (timeout / 1000);
    const watch = setInterval(() => {
      if (trip.received - receivedBefore < minimum)
        response.drop(new Error(`the response was slower than ${formatBytes(MIN_BYTES_PER_SECOND)} per second`));
      receivedBefore = trip.received;
    }, timeout);
    response.body.once('close', () => clearInterval(watch));
    return response;
  }
  return { ask, open: async (url, init) => withMinimumSpeed(await open(url, init, STREAM_BUFFER_BYTES), init.trip) };
}

/** Bytes of a streamed body that are buffered before its host has to wait. */
const STREAM_BUFFER_BYTES = 1024 * 1024;

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Decodes a content encoding, although none was requested. Never decompresses more than `maxBytes`. */
async function decompress(body: Buffer, encoding: string | undefined, maxBytes: number, sizeLimit: string): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === '' || name === 'identity' || body.length === 0) return body;
  if (!Object.hasOwn(DECODERS, name)) throw new Refused(`the response has the content encoding ${name}, which is not supported`);
  try {
    return await DECODERS[name as keyof typeof DECODERS](body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refused(`the decompressed response body exceeds ${sizeLimit}`, { cause });
    throw new Error(`the response body is not valid ${name}`, { cause });
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
