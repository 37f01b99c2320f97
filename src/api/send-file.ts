/** Sends a file over HTTP: ranges, conditional requests (ETag, Last-Modified), and compression if that helps. */
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import fresh from 'fresh';
import { parseAccept } from 'hono/utils/accept';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';
import send from 'send';
import type { FoundFile } from './request-paths.ts';

/** A file, and how to send it. */
export interface FileResponse extends FoundFile {
  /** Value of Content-Type. */
  type: string;
  /** Value of ETag, without quotes. Changes if any byte of the file does. */
  etag: string;
  /** Whether it may be sent compressed. */
  compress: boolean;
}

/** Returns a tag from the size and modification time, for a file whose checksum is not known. */
export function weakTag({ stats }: FoundFile): string {
  return `${stats.size.toString(36)}-${Math.round(stats.mtimeMs * 1000).toString(36)}`;
}

/** Responds to GET or HEAD with a file. Its descriptor is closed when the response ends, even if the client disconnects. */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: FileResponse): void {
  // Browsers revalidate at every visit, so that a withdrawn page and its search document leave their caches.
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Content-Type', file.type);
  const compressible =
    file.compress && file.stats.size >= MIN_COMPRESSED_BYTES && COMPRESSIBLE_CONTENT_TYPE_REGEX.test(file.type);
  if (compressible) response.setHeader('Vary', 'Accept-Encoding');
  // These requests refer to positions or the exact bytes of the file, which compression would change.
  const needsExactBytes = ['range', 'if-match', 'if-unmodified-since'].some((name) => request.headers[name] !== undefined);
  const encoding = compressible && request.method === 'GET' && !needsExactBytes ? negotiateEncoding(request) : undefined;
  if (encoding) sendCompressed(request, response, file, encoding);
  else sendBytes(request, response, file);
}

/** Responds with one line of text. */
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

/** Minimum size for compression: that of a smaller file saves no packet. */
const MIN_COMPRESSED_BYTES = 1024;

const ENCODERS = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip(),
} as const;

function negotiateEncoding({ headers }: IncomingMessage): keyof typeof ENCODERS | undefined {
  const accepted = new Map(parseAccept(String(headers['accept-encoding'] ?? '')).map(({ type, q }) => [type.toLowerCase(), q]));
  return (['br', 'gzip'] as const).find((encoding) => (accepted.get(encoding) ?? accepted.get('*') ?? 0) > 0);
}

function sendCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  { root, path, stats, etag }: FileResponse,
  encoding: keyof typeof ENCODERS,
): void {
  // Weak, since another version of the library may compress differently. Not the file's own tag, which is valid for ranges.
  const validators = { etag: `W/"${etag}-${encoding}"`, 'last-modified': stats.mtime.toUTCString() };
  response.setHeader('ETag', validators.etag);
  response.setHeader('Last-Modified', validators['last-modified']);
  if (fresh(request.headers, validators)) {
    response.removeHeader('Content-Type');
    response.writeHead(304).end();
    return;
  }
  response.setHeader('Content-Encoding', encoding);
  pipeline(createReadStream(join(root, path)), ENCODERS[encoding](), response, (error) => {
    if (error) response.destroy(); // the client disconnected, or the file cannot be read; the client sees a truncated response
  });
}

function sendBytes(request: IncomingMessage, response: ServerResponse, { root, path, etag }: FileResponse): void {
  response.setHeader('ETag', `"${etag}"`);
  const encodedPath = path.split('/').map(encodeURIComponent).join('/');
  send(request, encodedPath, { root, index: false, dotfiles: 'deny', cacheControl: false, etag: false })
    .on('error', (error: Error & { status?: number; headers?: Record<string, string> }) => {
      if (response.headersSent) response.destroy();
      else sendText(response, error.status ?? 500, MESSAGES[error.status ?? 500] ?? 'The file cannot be read.', error.headers);
    })
    .pipe(response);
}

const MESSAGES: Readonly<Record<number, string>> = {
  404: 'Not found',
  412: 'The file has changed.',
  416: 'The range is outside the file.',
};
