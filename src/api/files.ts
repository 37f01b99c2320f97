/** Sends a file over HTTP: whole or in part (Range), only if it changed (ETag, Last-Modified), and compressed where that helps. */
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import fresh from 'fresh';
import { parseAccept } from 'hono/utils/accept';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';
import send from 'send';
import type { FoundFile } from './paths.ts';

export interface FileAnswer extends FoundFile {
  /** For Content-Type. */
  type: string;
  /** Changes with every byte of the file; without quotes. */
  tag: string;
  /** Whether it may be sent compressed. */
  compress: boolean;
}

/** A tag for a file whose checksum is not at hand: by its size and when it was written. */
export function tagOf({ stats }: FoundFile): string {
  return `${stats.size.toString(36)}-${Math.round(stats.mtimeMs * 1000).toString(36)}`;
}

/** Answers a GET or HEAD. The file's descriptor is closed when the answer ends, also where the client breaks off. */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: FileAnswer): void {
  // Asked again each time, with the tag: a page that is withdrawn, and its search entry, leave caches at the next visit.
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Content-Type', file.type);
  const compressible = file.compress && file.stats.size >= WORTH_COMPRESSING && COMPRESSIBLE_CONTENT_TYPE_REGEX.test(file.type);
  if (compressible) response.setHeader('Vary', 'Accept-Encoding');
  const encoding = compressible && request.method === 'GET' && !wantsBytes(request) ? encodingFor(request) : undefined;
  if (encoding) sendCompressed(request, response, file, encoding);
  else sendBytes(request, response, file);
}

/** Answers in one line of text. */
export function sendText(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  for (const name of ['ETag', 'Last-Modified', 'Content-Encoding', 'Content-Disposition']) response.removeHeader(name);
  const body = `${text}\n`;
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-cache',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Bytes below which compressing saves no packet. */
const WORTH_COMPRESSING = 1024;

/** Whether a request asks for bytes at their place in the file, which compressed bytes have not. */
function wantsBytes({ headers }: IncomingMessage): boolean {
  return ['range', 'if-match', 'if-unmodified-since'].some((name) => headers[name] !== undefined);
}

const ENCODERS = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip(),
} as const;

function encodingFor({ headers }: IncomingMessage): keyof typeof ENCODERS | undefined {
  const wanted = new Map(parseAccept(String(headers['accept-encoding'] ?? '')).map(({ type, q }) => [type.toLowerCase(), q]));
  return (['br', 'gzip'] as const).find((encoding) => (wanted.get(encoding) ?? wanted.get('*') ?? 0) > 0);
}

function sendCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  { root, path, stats, tag }: FileAnswer,
  encoding: keyof typeof ENCODERS,
): void {
  // Weak, since other versions of the library write other bytes; never the tag of the file itself, whose ranges may be asked for.
  const validators = { etag: `W/"${tag}-${encoding}"`, 'last-modified': stats.mtime.toUTCString() };
  response.setHeader('ETag', validators.etag);
  response.setHeader('Last-Modified', validators['last-modified']);
  if (fresh(request.headers, validators)) {
    response.removeHeader('Content-Type');
    response.writeHead(304).end();
    return;
  }
  response.setHeader('Content-Encoding', encoding);
  pipeline(createReadStream(join(root, path)), ENCODERS[encoding](), response, (error) => {
    if (error) response.destroy(); // the client left, or the file cannot be read: an answer cut short says so
  });
}

function sendBytes(request: IncomingMessage, response: ServerResponse, { root, path, tag }: FileAnswer): void {
  response.setHeader('ETag', `"${tag}"`);
  const address = path.split('/').map(encodeURIComponent).join('/');
  send(request, address, { root, index: false, dotfiles: 'deny', cacheControl: false, etag: false })
    .on('error', (error: Error & { status?: number; headers?: Record<string, string> }) => {
      if (response.headersSent) response.destroy();
      else sendText(response, error.status ?? 500, WORDS[error.status ?? 500] ?? 'The file cannot be read.', error.headers);
    })
    .pipe(response);
}

const WORDS: Readonly<Record<number, string>> = {
  404: 'Not found',
  412: 'The file has changed.',
  416: 'The file has no such range.',
};
