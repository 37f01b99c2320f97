/** Sends single HTTP requests, within limits for redirects, time and size. */
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { errors, request } from 'undici';
import type { UpstreamResponse } from '../model/response.ts';
import { formatBytes } from '../platform/quantities.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { HostError, NonRetryableError } from './errors.ts';
import { type Pipeline, type RequestContext, withContext } from './pipeline.ts';

/** Limits of each request. */
export interface TransportLimits {
  /** Hosts that requests may go to, redirects included. */
  hosts: AllowedHosts;
  /** Milliseconds to wait for a connection, and for the response headers. */
  timeoutMs: number;
  /** Milliseconds that a complete response body may take. */
  bodyTimeoutMs: number;
  /** Maximum bytes of a response body, before and after decompression. */
  maxBodyBytes: number;
  /** Maximum redirects per request. */
  maxRedirects: number;
  /** Names of the options that set these limits, for messages. */
  optionNames?: Partial<Record<'maxBytes' | 'bodyTimeout' | 'maxRedirects', string>>;
}

/** A response whose body is still arriving. */
export interface StreamingResponse extends Omit<UpstreamResponse, 'body'> {
  /** The body as sent, with its content encoding. Read it to its end, or call `destroy`. */
  body: AsyncIterable<Buffer>;
  /** Aborts the response. Reading its body then throws `cause`. */
  destroy(cause?: Error): void;
}

interface OpenResponse extends StreamingResponse {
  body: Readable & AsyncIterable<Buffer>;
}

/** The HTTP methods that we use. */
export type Method = 'GET' | 'HEAD';

/** How to send one request. */
export interface TransportRequest {
  headers: Record<string, string>;
  context: RequestContext;
  method?: Method;
  /** Set for robots.txt itself, which is fetched without checking robots.txt. */
  skipRobots?: boolean;
}

/** Sends requests without retrying them. */
export interface HttpTransport {
  /** Returns the response of any status. Rejects with an error for `explainTransportError`. */
  request(url: string, init: TransportRequest): Promise<UpstreamResponse>;
  /** Returns the response of any status and size once its headers arrive. A body slower than `MIN_BYTES_PER_SECOND` is aborted. */
  stream(url: string, init: TransportRequest): Promise<StreamingResponse>;
}

/** Minimum speed of a streamed body, measured over periods of `timeoutMs`. */
const MIN_BYTES_PER_SECOND = 1000;

/** Creates a transport that sends its requests through a pipeline. */
export function createTransport(
  limits: Omit<TransportLimits, 'hosts'>,
  pipeline: Pick<Pipeline, 'full' | 'withoutRobots'>,
): HttpTransport {
  const { timeoutMs, bodyTimeoutMs, maxBodyBytes, maxRedirects } = limits;
  const optionNote = (limit: keyof NonNullable<TransportLimits['optionNames']>) =>
    limits.optionNames?.[limit] ? ` (${limits.optionNames[limit]})` : '';
  const sizeLimit = `${formatBytes(maxBodyBytes)}${optionNote('maxBytes')}`;
  async function openResponse(
    url: string,
    { headers, context, method = 'GET', skipRobots = false }: TransportRequest,
    highWaterMark?: number,
  ): Promise<OpenResponse> {
    const dispatcher = skipRobots ? pipeline.withoutRobots : pipeline.full;
    const options = {
      dispatcher,
      headers,
      method,
      ...(highWaterMark === undefined ? {} : { highWaterMark }),
      ...withContext(context),
    };
    const response = await request(url, options).catch((error: unknown) => {
      const cause = error instanceof HostError ? error.cause : error;
      // Our own URLs are valid, so these errors are about the target of a redirect.
      if (cause instanceof errors.MaxRedirectsError)
        throw new NonRetryableError(`it redirects more than ${maxRedirects} times${optionNote('maxRedirects')}`, { cause });
      if (cause instanceof errors.InvalidArgumentError)
        throw new NonRetryableError(
          /loop/.test(cause.message) ? 'it redirects to itself' : 'it redirects to a URL that cannot be followed',
          { cause },
        );
      throw error;
    });
    const history = ((response.context as { history?: URL[] } | undefined)?.history ?? []).map(({ href }) => href);
    // If nothing reads the body when it is destroyed, its error event must not be unhandled. The caller knows the cause.
    response.body.on('error', () => undefined);
    return {
      url: history.at(-1) ?? url,
      fetchedAt: new Date().toISOString(),
      status: response.statusCode,
      headers: flattenHeaders(response.headers),
      redirects: history.slice(0, -1),
      exchanges: context.exchanges,
      body: response.body,
      destroy: (cause) => void response.body.destroy(cause),
    };
  }

  async function bufferResponse(url: string, init: TransportRequest): Promise<UpstreamResponse> {
    const { body: stream, destroy, ...response } = await openResponse(url, init);
    const length = init.method === 'HEAD' ? 0 : Number(response.headers['content-length']);
    const tooLarge = () => new NonRetryableError(`the response body exceeds ${sizeLimit}`);
    const chunks: Buffer[] = [];
    let size = 0;
    const deadline = setTimeout(
      () => destroy(new Error(`no complete response in ${bodyTimeoutMs / 1000} s${optionNote('bodyTimeout')}`)),
      bodyTimeoutMs,
    );
    try {
      if (length > maxBodyBytes) throw tooLarge();
      for await (const chunk of stream) {
        size += chunk.length;
        if (size > maxBodyBytes) throw tooLarge();
        chunks.push(chunk);
      }
    } catch (error) {
      destroy();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    return { ...response, body: await decompress(body, response.headers['content-encoding'], maxBodyBytes, sizeLimit) };
  }

  /** Aborts a response that is slower than `MIN_BYTES_PER_SECOND`. */
  function withMinimumSpeed(response: OpenResponse, context: RequestContext): StreamingResponse {
    let receivedBefore = context.receivedBytes;
    const minimum = MIN_BYTES_PER_SECOND * (timeoutMs / 1000);
    const watch = setInterval(() => {
      if (context.receivedBytes - receivedBefore < minimum)
        response.destroy(new Error(`the response was slower than ${formatBytes(MIN_BYTES_PER_SECOND)} per second`));
      receivedBefore = context.receivedBytes;
    }, timeoutMs);
    response.body.once('close', () => clearInterval(watch));
    return response;
  }
  return {
    request: bufferResponse,
    stream: async (url, init) => withMinimumSpeed(await openResponse(url, init, STREAM_BUFFER_BYTES), init.context),
  };
}

/** Maximum bytes of a streamed body to buffer before its host has to wait. */
const STREAM_BUFFER_BYTES = 1024 * 1024;

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Decodes a content encoding, which some servers send although none was requested. Never decompresses more than `maxBytes`. */
async function decompress(body: Buffer, encoding: string | undefined, maxBytes: number, sizeLimit: string): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === '' || name === 'identity' || body.length === 0) return body;
  if (!Object.hasOwn(DECODERS, name))
    throw new NonRetryableError(`the response has the content encoding ${name}, which is not supported`);
  try {
    return await DECODERS[name as keyof typeof DECODERS](body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new NonRetryableError(`the decompressed response body exceeds ${sizeLimit}`, { cause });
    throw new Error(`the response body is not valid ${name}`, { cause });
  }
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
