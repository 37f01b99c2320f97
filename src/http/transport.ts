/** Sends single HTTP requests, within limits for redirects, time and size. */
import type { Readable } from 'node:stream';
import { parseCookie } from 'undici';
import type { Exchange, HeaderList, UpstreamResponse } from '../model/response.ts';
import { formatBytes } from '../platform/quantities.ts';
import { contentEncodings, decodeContent } from './content-encoding.ts';
import { NonRetryableError } from './errors.ts';
import type { Pipeline, PipelineOptions, PipelineRequest, RequestContext } from './pipeline.ts';
import { IGNORED } from './response-heads.ts';

/** Limits of each request. */
export interface TransportLimits extends Pick<PipelineOptions, 'hosts' | 'timeoutMs'> {
  /** Milliseconds that a complete response body may take. */
  bodyTimeoutMs: number;
  /** Maximum bytes of a response body, before and after decompression. */
  maxBodyBytes: number;
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

/** How to send one request. */
export type TransportRequest = Partial<PipelineRequest> & { headers: Record<string, string>; context: RequestContext };

/** Minimum speed of a streamed body, measured over periods of `timeoutMs`. */
const MIN_BYTES_PER_SECOND = 1000;

/** Creates a transport that sends its requests through a pipeline, without retrying them. */
export function createTransport(limits: Omit<TransportLimits, 'hosts'>, pipeline: Pick<Pipeline, 'send'>) {
  const { timeoutMs, bodyTimeoutMs, maxBodyBytes, maxRedirects } = limits;
  const optionNote = (limit: keyof NonNullable<TransportLimits['optionNames']>) =>
    limits.optionNames?.[limit] ? ` (${limits.optionNames[limit]})` : '';
  const sizeLimit = `${formatBytes(maxBodyBytes)}${optionNote('maxBytes')}`;
  async function openResponse(url: string, { headers, context, method = 'GET', skipRobots = false }: TransportRequest) {
    const chain = createRedirectChain(url, context.cookies, maxRedirects, optionNote('maxRedirects'));
    let redirectBodyMs = bodyTimeoutMs;
    for (;;) {
      const sent = { ...headers, ...chain.cookieHeaders() };
      const { body, ...response } = await pipeline.send(chain.url, { headers: sent, method, skipRobots }, context);
      const exchange: Exchange = {
        method,
        url: chain.url.href,
        sentAt: context.sentAt,
        // undici writes two headers before those that it gets.
        requestHeaders: [['host', chain.url.host], ['connection', 'keep-alive'], ...Object.entries(sent)],
        status: response.statusCode,
        reason: response.statusText,
        headers: receivedHeaders(response.headers as unknown as string[]),
        body: undefined,
      };
      context.exchanges.push(exchange);
      // If nothing reads the body when it is destroyed, its error event must not be unhandled. The caller knows the cause.
      body.on('error', () => undefined);
      const { status } = exchange;
      chain.storeCookies(exchange.headers);
      const isRedirect = status >= 300 && status < 400 && status !== 304;
      const target = isRedirect ? exchange.headers.find(([name]) => /^location$/i.test(name))?.[1] : undefined;
      if (target === undefined)
        return {
          url: chain.url.href,
          fetchedAt: new Date().toISOString(),
          status: exchange.status,
          headers: joinHeaders(exchange.headers),
          redirects: chain.visited,
          exchanges: context.exchanges,
          body,
          destroy: (cause?: Error) => void body.destroy(cause),
        };
      const startedAt = performance.now();
      await recordBody(exchange, body, Math.max(0, redirectBodyMs));
      redirectBodyMs -= performance.now() - startedAt;
      chain.follow(target);
    }
  }

  async function bufferResponse(url: string, init: TransportRequest): Promise<UpstreamResponse> {
    const { body: stream, destroy, ...response } = await openResponse(url, init);
    const length = init.method === 'HEAD' ? 0 : Number(response.headers['content-length']);
    const chunks: Buffer[] = [];
    const deadline = setTimeout(
      () => destroy(new Error(`no complete response in ${bodyTimeoutMs / 1000} s${optionNote('bodyTimeout')}`)),
      bodyTimeoutMs,
    );
    const tooLarge = `the response body exceeds ${sizeLimit}`;
    try {
      if (length > maxBodyBytes) throw new NonRetryableError(tooLarge);
      const received = limitSize(stream, maxBodyBytes, tooLarge);
      const encoding = response.headers['content-encoding'];
      const decoded = decodeContent(received, contentEncodings(encoding).length === 0 ? 'undeclared' : encoding);
      const body = limitSize(decoded, maxBodyBytes, `the decompressed response body exceeds ${sizeLimit}`);
      for await (const chunk of body) chunks.push(chunk);
    } catch (error) {
      destroy();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
    return { ...response, body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) };
  }

  /** Aborts a response that is slower than `MIN_BYTES_PER_SECOND`. */
  function withMinimumSpeed(response: StreamingResponse & { body: Readable }, context: RequestContext): StreamingResponse {
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
    /** Returns the response of any status. Rejects with an error for `explainTransportError`. */
    request: bufferResponse,
    /** Returns the response of any status and size once its headers arrive. Aborts a body below `MIN_BYTES_PER_SECOND`. */
    stream: async (url: string, init: TransportRequest) => withMinimumSpeed(await openResponse(url, init), init.context),
  };
}

/** Passes a body on. Throws a `NonRetryableError` with the message if it has more than `maxBytes`. */
async function* limitSize(body: AsyncIterable<Buffer>, maxBytes: number, message: string): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new NonRetryableError(message);
    yield chunk;
  }
}

/** Returns headers by lower-case name, with the values of repeated ones joined, and without lengths that do not count. */
function joinHeaders(list: HeaderList): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [mixedCase, value] of list) {
    const name = mixedCase.toLowerCase();
    const before = Object.hasOwn(joined, name) && name !== 'content-length' ? `${joined[name]}, ` : '';
    Object.defineProperty(joined, name, { value: `${before}${value}`, enumerable: true, configurable: true, writable: true });
  }
  if (/\bchunked\b/i.test(joined['transfer-encoding'] ?? '')) delete joined['content-length'];
  return joined;
}

/** Returns the headers of a response, as received, from undici’s flat list of names and values. */
function receivedHeaders(raw: readonly string[]): HeaderList {
  return Array.from({ length: raw.length / 2 }, (_, i) => {
    const name = raw[2 * i] as string;
    return [name.startsWith(IGNORED) ? name.slice(IGNORED.length) : name, raw[2 * i + 1] as string];
  });
}

/** Maximum bytes of a redirect’s body that are recorded. */
const MAX_REDIRECT_BODY_BYTES = 65_536;

/** Reads a redirect's body into its exchange, if it is short, complete and in time: the redirect can be followed without it. */
async function recordBody(exchange: Exchange, body: Readable & AsyncIterable<Buffer>, timeoutMs: number): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  const deadline = setTimeout(() => body.destroy(), timeoutMs);
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_REDIRECT_BODY_BYTES) return;
      chunks.push(chunk);
    }
    exchange.body = Buffer.concat(chunks);
  } catch {
    // What arrived is not the whole body.
  } finally {
    clearTimeout(deadline);
  }
}

/** As many as browsers hold for a site. Some servers set new ones with each response. */
const MAX_COOKIES = 180;

/** Starts a chain. `limitNote` names the option that sets its maximum length, for messages. */
function createRedirectChain(start: string, cookies: RequestContext['cookies'], maxRedirects: number, limitNote: string) {
  const requests = new Set<string>();
  const chain = {
    /** The URL to request next. */
    url: new URL(start),
    /** The URLs requested before it. */
    visited: [] as string[],
    cookieHeaders(): Record<string, string> {
      const { host, protocol } = chain.url;
      const sent = [...cookies.values()].filter((one) => one.host === host && (!one.isSecure || protocol === 'https:'));
      return sent.length === 0 ? {} : { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') };
    },
    /** Stores the cookies of a response to the last request. */
    storeCookies(headers: HeaderList) {
      const { href, host } = chain.url;
      requests.add(`${href} ${chain.cookieHeaders()['cookie']}`);
      for (const [header, cookie] of headers) {
        const { name, value, maxAge, expires, secure } = (/^set-cookie$/i.test(header) && parseCookie(cookie)) || { name: '' };
        if (name === '') continue;
        const isDeleted = maxAge === undefined ? expires !== undefined && Number(expires) <= Date.now() : maxAge <= 0;
        if (isDeleted) cookies.delete(`${host} ${name}`);
        else if (cookies.size < MAX_COOKIES) cookies.set(`${host} ${name}`, { host, name, value, isSecure: secure === true });
      }
    },
    /**
     * Moves to the target of a redirect.
     * @throws {NonRetryableError} if it cannot be followed, or was requested already with the same cookies
     */
    follow(location: string) {
      const { href } = chain.url;
      chain.visited.push(href);
      // Each character is a byte. URLs have the bytes of UTF-8, like those of any other encoding, as percent codes.
      const encoded = location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
      const target = URL.parse(encoded, href);
      if (!target || !/^https?:$/.test(target.protocol))
        throw new NonRetryableError('it redirects to a URL that cannot be followed');
      target.hash = '';
      chain.url = target;
      const { cookie } = chain.cookieHeaders();
      const names = cookie?.replace(/=[^;]*/g, '').replaceAll(';', ',');
      const note = names === undefined ? '' : `, although its cookies were sent back: ${names}`;
      if (requests.has(`${target.href} ${cookie}`)) throw new NonRetryableError(`it redirects to itself${note}`);
      if (chain.visited.length > maxRedirects)
        throw new NonRetryableError(`it redirects more than ${maxRedirects} times${limitNote}${note}`);
    },
  };
  return chain;
}
