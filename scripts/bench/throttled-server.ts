/** A plain static server over a slow line: a delay before the first byte of each response, and a shared bandwidth. */
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import mime from 'mime-types';
import { toSafeDirectory } from '../../src/platform/safe-directory.ts';

/** A line between the server and the browser. */
export interface Line {
  /** Before the first byte of each response. */
  latencyMs: number;
  bytesPerSecond: number;
}

/** What a server has sent. */
export interface Transferred {
  /** With headers. */
  bytes: number;
  /** Bytes of bodies that pages requested, by path. */
  bodies: Map<string, number>;
  /** Bytes of bodies that a service worker requested, and of its script. */
  workerBytes: number;
}

/** The bytes that are sent at a time: a hundredth of a second of a line of 10 Mbit/s. */
const CHUNK_BYTES = 12_500;
const QUIET_MS = 1_000;
/** The script of the service worker, which is the referrer of its requests. */
const WORKER = /\/sw\.js$/;
/** What servers usually compress. */
const COMPRESSIBLE = /^(?:text\/|application\/(?:javascript|json|manifest\+json|xml|atom\+xml)|image\/svg\+xml)/;

/** Serves a directory on the loopback interface. With `compresses`, sends texts and code as gzip, each compressed once. */
export async function startThrottledServer(directory: string, line: Line, compresses: boolean) {
  const safeDir = toSafeDirectory(directory);
  const bandwidth = createBandwidth(line.bytesPerSecond);
  const sockets = new Set<Socket>();
  const compressed = new Map<string, Promise<Buffer>>();
  let bodies = new Map<string, number>();
  let workerBytes = 0;
  let counted = 0;
  let active = 0;
  let activeAt = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1);
    const stats = request.method === 'GET' ? safeDir.stat(path) : undefined;
    await setTimeout(line.latencyMs);
    if (!stats) return void response.writeHead(404).end();
    const etag = `"${stats.size}-${Math.trunc(stats.mtimeMs)}"`;
    const type = mime.contentType(path.split('/').at(-1) as string) || 'application/octet-stream';
    const headers = { etag, 'last-modified': stats.mtime.toUTCString(), 'content-type': type };
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
    const file = join(safeDir.root, path);
    const isPacked = compresses && COMPRESSIBLE.test(type) && /\bgzip\b/.test(String(request.headers['accept-encoding']));
    if (isPacked && !compressed.has(file)) compressed.set(file, promisify(gzip)(readFileSync(file)));
    const body = isPacked ? await compressed.get(file) : undefined;
    const isOfWorker = WORKER.test(`/${path}`) || WORKER.test(request.headers.referer ?? '');
    const size = body?.length ?? stats.size;
    response.writeHead(200, { ...headers, 'content-length': size, ...(body ? { 'content-encoding': 'gzip' } : {}) });
    for await (const chunk of body ? chunksOf(body) : createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
      await bandwidth(chunk.length);
      if (response.destroyed) return;
      response.write(chunk);
      if (isOfWorker) workerBytes += chunk.length;
      else bodies.set(path, (bodies.get(path) ?? 0) + chunk.length);
    }
    response.end();
  };
  // If the server closed a connection at the moment of a request, that request would fail.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    active++;
    respond(request, response)
      .catch((error: unknown) => response.destroy(error as Error))
      .finally(() => {
        active--;
        activeAt = performance.now();
      });
  });
  server.on('connection', (socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    /** Ends with a slash. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Returns what it has sent since the last call. */
    takeTransferred() {
      const total = [...sockets].reduce((bytes, socket) => bytes + socket.bytesWritten, 0);
      const taken = { bytes: total - counted, bodies, workerBytes };
      counted = total;
      bodies = new Map();
      workerBytes = 0;
      return taken;
    },
    /** Waits until no response has been in progress for a second: a service worker loads more after the page is shown. */
    async settle() {
      while (active > 0 || performance.now() - activeAt < QUIET_MS) await setTimeout(QUIET_MS / 10);
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Longer than a program waits between two requests. */
const KEEP_ALIVE_MS = 120_000;

/** Returns a function that waits until the line has sent a number of bytes, after those of earlier calls. */
function createBandwidth(bytesPerSecond: number): (bytes: number) => Promise<void> {
  let freeAt = 0;
  return async (bytes) => {
    const now = performance.now();
    freeAt = Math.max(now, freeAt) + (bytes / bytesPerSecond) * 1000;
    const wait = freeAt - now;
    if (wait >= 1) await setTimeout(wait);
  };
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) yield bytes.subarray(offset, offset + CHUNK_BYTES);
}
