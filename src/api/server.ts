/** Listens: the built site where there is one, then both APIs, then the snapshot's media at their own paths. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type ShownStore, shownStore } from '../catalogue/view.ts';
import { NOTHING_WITHHELD, type Withholding } from '../catalogue/withholding.ts';
import { printable } from '../platform/lines.ts';
import type { Store } from '../snapshot/store.ts';
import { createApi } from './app.ts';
import type { Fault } from './faults.ts';
import { sendFile, sendText } from './files.ts';
import { createHostCheck, isEverywhere, isLoopback } from './hosts.ts';
import { findMedia } from './media.ts';
import { answerFromSite, answerNotFound } from './site.ts';

export interface ServeOptions {
  store: Store;
  /** The built site's folder. */
  dir: string | undefined;
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** Hosts that requests may name, besides the server's own: `name` or `name:port`. */
  allowHosts?: readonly string[];
  faults?: ReadonlySet<Fault>;
  /** What the archive withholds: it answers nowhere. */
  withholding?: Withholding;
}

export interface RunningServer {
  /** Without a trailing slash. */
  url: string;
  /** Whether private records are left out: always, but where only this machine asks and there is no site. */
  withholds: boolean;
  /** Whether it listens on all addresses of the machine. */
  everywhere: boolean;
  /** What of the withholding finds nothing in the snapshot. */
  unmatched: string[];
  /** Ends what is under way, at once after a moment, and stops. */
  close(): Promise<void>;
}

/** Milliseconds. */
const LIMITS = { headersTimeout: 20_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };
/** Milliseconds without a byte on a connection: a client that reads no further. */
const IDLE = 120_000;
/** Milliseconds that answers under way have to end when the server stops. */
const GRACE = 2_000;

/** Starts the server. Rejects when the port is taken. */
export async function listen(options: ServeOptions): Promise<RunningServer> {
  const { port, host, dir, allowHosts: allowed = [] } = options;
  const server = createServer(LIMITS);
  server.timeout = IDLE;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  const isOurs = createHostCheck({ host, address: bound.address, port: bound.port, allowed });
  const withholds = dir !== undefined || allowed.length > 0 || !isLoopback(bound.address);
  let shown: ShownStore;
  try {
    shown = shownStore(options.store, { withholding: options.withholding ?? NOTHING_WITHHELD, publicOnly: withholds });
    server.on('request', createAnswer(options, shown, isOurs));
  } catch (error) {
    server.close(); // the snapshot cannot be read
    throw error;
  }
  return {
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    withholds,
    everywhere: isEverywhere(bound.address),
    unmatched: shown.unmatched(),
    close: () => stop(server),
  };
}

function createAnswer(
  { dir, faults = new Set() }: ServeOptions,
  shown: ShownStore,
  isOurs: (host: string | undefined) => boolean,
): RequestListener {
  const api = getRequestListener(createApi(shown, { faults, groundOf: shown.groundOf }).fetch, { overrideGlobalObjects: false });

  function answer(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const address = originForm(request);
    if (!isOurs(request.headers.host)) {
      const host = printable(request.headers.host ?? '', 100);
      const text = `This server does not answer to the host “${host}”; with “serve --allow-host ${host}” it would.`;
      return void sendText(response, 421, text);
    }
    if (address === undefined) return void sendText(response, 400, 'This is not an address of this server.');
    const pathname = address.replace(/[?#].*$/s, '');
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (dir !== undefined && pathname.startsWith('/media/tiles/')) allowOtherPages(response);
    if (reads && dir !== undefined && answerFromSite(dir, pathname, request, response)) return;
    if (pathname.startsWith('/api/')) return void api(request, response);
    const methods = { allow: 'GET, HEAD, OPTIONS' };
    if (request.method === 'OPTIONS') return void response.writeHead(204, methods).end();
    if (!reads) return void sendText(response, 405, 'Files can only be read.', methods);
    const media = findMedia(shown, address);
    if (!media) return void answerNotFound(dir, request, response);
    for (const [name, value] of Object.entries(media.headers)) response.setHeader(name, value as string);
    sendFile(request, response, media.file);
  }

  return (request, response) => {
    try {
      answer(request, response);
    } catch (error) {
      console.error(`microfiche: ${request.method} ${printable(request.url ?? '')}: ${printable((error as Error).message)}`);
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'This cannot be answered; the server’s own output says why.');
    }
  };
}

/** The path and query of a request; one with a whole URL (RFC 9112 §3.2.2) is asked by that URL's host. Undefined for anything else. */
function originForm(request: IncomingMessage): string | undefined {
  const { url = '' } = request;
  if (url.startsWith('/')) return url;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { host, pathname, search } = new URL(url);
  request.headers.host = host;
  request.url = `${pathname}${search}`;
  return request.url;
}

/** Pages of others may look into the pictures (IIIF Image API 3.0, §7.1). */
function allowOtherPages(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (response.req.method === 'OPTIONS') response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const last = setTimeout(() => server.closeAllConnections(), GRACE);
  await closed;
  clearTimeout(last);
}
