/** A minimal web host: serves the files of one directory at any path, and 404.html for everything else. */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.mp4': 'video/mp4',
  '.mp3': 'audio/mpeg',
  '.vtt': 'text/vtt',
};

/** A running host. */
export interface StaticHost {
  url: string;
  stop: () => Promise<void>;
}

/** Milliseconds between the pieces of a page. */
const PAUSE = 25;

/**
 * Serves `dist` at the root and at `base`, such as `/sub/`. Sends a validator with files, as most hosts do, unless `plain`; pages
 * in pieces of so many bytes, as on a slow connection, if `pieceSize` is given.
 */
export async function startStaticHost(
  dist: string,
  { base = '/', plain = false, pieceSize }: { base?: string; plain?: boolean; pieceSize?: number } = {},
): Promise<StaticHost> {
  async function* inPieces(file: string) {
    for await (const piece of createReadStream(file, { highWaterMark: pieceSize })) {
      yield piece;
      await setTimeout(PAUSE);
    }
  }
  const server = createServer(({ url = '/', headers }, response) => {
    const { pathname } = new URL(url, 'http://host');
    const below = decodeURIComponent(pathname.startsWith(base) ? pathname.slice(base.length - 1) : pathname);
    const file = join(dist, below.endsWith('/') ? `${below}index.html` : below);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) {
      response.writeHead(404, { 'content-type': 'text/html' });
      createReadStream(join(dist, '404.html')).pipe(response);
      return;
    }
    const etag = `"${stats.mtimeMs}-${stats.size}"`;
    const type = { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' };
    const status = !plain && headers['if-none-match'] === etag ? 304 : 200;
    response.writeHead(status, plain ? type : { ...type, etag });
    if (status === 304) response.end();
    else if (pieceSize !== undefined && extname(file) === '.html') Readable.from(inPieces(file)).pipe(response);
    else createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
