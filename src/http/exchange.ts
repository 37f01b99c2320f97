/** One request and its answer, bounded in where it goes, how long it takes and how much it holds. */
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { errors, request } from 'undici';
import type { Received } from '../model/received.ts';
import { formatBytes } from '../platform/durations.ts';
import type { AllowedHosts } from './addresses.ts';
import { AtHost, Refused } from './failure.ts';
import { onTrip, type Pipeline, type Trip } from './pipeline.ts';

export interface Limits {
  /** Hosts that may be asked, also by redirect. */
  hosts: AllowedHosts;
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

interface Opened extends Arriving {
  body: Readable & AsyncIterable<Buffer>;
}

export type Method = 'GET' | 'HEAD';

/** How one request is made. */
export interface Asking {
  headers: Record<string, string>;
  trip: Trip;
  method?: Method;
  /** For robots.txt itself, which robots.txt does not guard. */
  plain?: boolean;
}

export interface Exchange {
  /** Any answer, whatever its status. Rejects as explained by `explainExchange`. */
  ask(url: string, asking: Asking): Promise<Received>;
  /** Any answer from its first byte on, of any length; one that comes slower than `LEAST_RATE` is given up. */
  open(url: string, asking: Asking): Promise<Arriving>;
}

/** Bytes a second that an answer of any length must have, over `timeout` each time. */
const LEAST_RATE = 1000;

export function createExchange(limits: Omit<Limits, 'hosts'>, pipeline: Pick<Pipeline, 'polite' | 'plain'>): Exchange {
  const { timeout, bodyTimeout, maxBytes, maxRedirects } = limits;
  const setBy = (limit: keyof NonNullable<Limits['optionNames']>) =>
    limits.optionNames?.[limit] ? `, the limit that ${limits.optionNames[limit]} sets` : '';
  const atMost = `${formatBytes(maxBytes)}${setBy('maxBytes')}`;
  async function open(
    url: string,
    { headers, trip, method = 'GET', plain = false }: Asking,
    highWaterMark?: number,
  ): Promise<Opened> {
    const dispatcher = plain ? pipeline.plain : pipeline.polite;
    const options = { dispatcher, headers, method, ...(highWaterMark === undefined ? {} : { highWaterMark }), ...onTrip(trip) };
    const answer = await request(url, options).catch((error: unknown) => {
      const cause = error instanceof AtHost ? error.cause : error;
      // Addresses of our own are always good: what these complain of is where a redirect leads.
      if (cause instanceof errors.MaxRedirectsError)
        throw new Refused(`it redirects more than ${maxRedirects} times${setBy('maxRedirects')}`, { cause });
      if (cause instanceof errors.InvalidArgumentError)
        throw new Refused(
          /loop/.test(cause.message) ? 'it redirects to itself' : 'it redirects to an address that cannot be followed',
          { cause },
        );
      throw error;
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
      body: answer.body,
      drop: (cause) => void answer.body.destroy(cause),
    };
  }

  async function ask(url: string, asking: Asking): Promise<Received> {
    const { body: arriving, drop, ...answer } = await open(url, asking);
    const length = asking.method === 'HEAD' ? 0 : Number(answer.headers['content-length']);
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
  function paced(answer: Opened, trip: Trip): Arriving {
    let before = trip.received;
    const least = LEAST_RATE * (timeout / 1000);
    const watch = setInterval(() => {
      if (trip.received - before < least)
        answer.drop(new Error(`the answer came slower than ${formatBytes(LEAST_RATE)} a second`));
      before = trip.received;
    }, timeout);
    answer.body.once('close', () => clearInterval(watch));
    return answer;
  }
  return { ask, open: async (url, asking) => paced(await open(url, asking, STREAMED), asking.trip) };
}

/** Bytes of a body of any length that wait to be read before its host is held up. */
const STREAMED = 1024 * 1024;

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
  if (!Object.hasOwn(UNPACK, name)) throw new Refused(`the body has the encoding ${name}, which cannot be undone`);
  try {
    return await UNPACK[name as keyof typeof UNPACK](body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refused(`the body unpacks to more than ${atMost}`, { cause });
    throw new Error(`the body’s ${name} encoding is broken`, { cause });
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
