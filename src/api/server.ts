/** HTTP server: the built site if there is one, both APIs, OAI-PMH, and the media files of the snapshot at their own paths. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { contentType } from 'mime-types';
import { createVisibleStore, type VisibleStore } from '../catalogue/read/visible-store.ts';
import { NOTHING_WITHHELD, type Withholding } from '../catalogue/read/withholding.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { readBaseUrls, readMediaByUrl } from '../snapshot/read.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import type { Store } from '../snapshot/store.ts';
import { untilChanged } from '../snapshot/until-changed.ts';
import { containsWithheldNames } from '../snapshot/withheld-names.ts';
import { createApi } from './app.ts';
import { createHostCheck, isForwarded, isLoopback, isWildcardAddress } from './host-check.ts';
import { createOai, OAI_PATH } from './oai.ts';
import { type FoundFile, findFile, parseFileName } from './request-paths.ts';
import { type FileResponse, sendFile, sendText, weakTag } from './send-file.ts';
import type { Fault } from './simulated-faults.ts';

/** What to serve, and where to listen. */
export interface ServeOptions {
  store: Store;
  /** Site directory. */
  dir: string | undefined;
  /** 0 chooses a free port. */
  port: number;
  host: string;
  /** Additional hosts that requests may name: `name` or `name:port`. */
  allowHosts?: readonly string[];
  faults?: ReadonlySet<Fault>;
  /** What the archive withholds. It is never served. */
  withholding?: Withholding;
  /** Whether private records may be served to this machine, without a site. By default, they are. */
  servesPrivate?: boolean;
  /** E-mail address of the operator, for OAI-PMH. */
  adminEmail?: string | undefined;
}

/** A server that accepts requests. */
export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Timeouts for requests, in milliseconds. */
const SERVER_LIMITS = { headersTimeout: 20_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };
/** Closes a connection without traffic, such as one whose client has stopped reading. */
const IDLE_TIMEOUT_MS = 120_000;
/** Time for responses to end when the server stops. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Starts the server. Rejects if the port is in use, or if the snapshot cannot be read. */
export async function startServer(options: ServeOptions) {
  const { port, host, dir, allowHosts: allowed = [] } = options;
  const server = createServer(SERVER_LIMITS);
  server.timeout = IDLE_TIMEOUT_MS;
  await once(server.listen(port, host), 'listening');
  const bound = server.address() as AddressInfo;
  const isOurs = createHostCheck(host, bound, allowed);
  const withholds = options.servesPrivate === false || dir !== undefined || allowed.length > 0 || !isLoopback(bound.address);
  const withholding = options.withholding ?? NOTHING_WITHHELD;
  // Also after a purge, nothing of what was read before is sent.
  const readCurrent = untilChanged(options.store, () => createApps(options, withholding, withholds));
  using unlessRead = new DisposableStack(); // the snapshot may be unreadable
  unlessRead.defer(() => server.close());
  const unmatched = readCurrent().toThisMachine.shown.unmatched();
  server.on('request', createListener(options, readCurrent, isOurs));
  unlessRead.move();
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
    await closed;
    clearTimeout(timer);
  };
  return {
    /** Without a trailing slash. */
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    /** Whether private records are withheld: unless only this machine connects and no site is served; always if forwarded. */
    withholds,
    /** Whether it listens on all addresses of the machine. */
    everywhere: isWildcardAddress(bound.address),
    /** Entries of the setting `withhold` that match nothing in the snapshot. */
    unmatched,
    /** Stops accepting connections, and aborts responses that do not end within a short time. */
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createApps({ store, adminEmail, faults }: ServeOptions, withholding: Withholding, withholds: boolean) {
  const listen = ({ fetch }: Hono) => getRequestListener(fetch, { overrideGlobalObjects: false });
  const createAudience = (shown: VisibleStore) => {
    const api = createApi(shown, { ...(faults ? { faults } : {}), withdrawalOf: shown.withdrawalOf });
    return { shown, api: listen(api) };
  };
  const publicStore = createVisibleStore(store, { withholding, publicOnly: true });
  const toOthers = createAudience(publicStore);
  const toThisMachine = withholds ? toOthers : createAudience(createVisibleStore(store, { withholding }));
  return {
    /** To requests that a proxy forwards. */
    toOthers,
    toThisMachine,
    oai: listen(createOai(store, publicStore, { adminEmail })),
  };
}

function createListener(
  { dir }: Pick<ServeOptions, 'dir'>,
  readCurrent: () => ReturnType<typeof createApps>,
  isOurs: (host: string | undefined) => boolean,
): RequestListener {
  function respond(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const target = requestTarget(request);
    if (request.headersDistinct['host']?.length !== 1)
      return void sendText(response, 400, 'The request must have one Host header.');
    if (!isOurs(request.headers.host)) {
      const host = toPrintable(request.headers.host ?? '', 100);
      const text = `This server does not accept requests for the host "${host}". To accept them, add --allow-host ${host}.`;
      return void sendText(response, 421, text);
    }
    if (target === undefined) return void sendText(response, 400, 'The request does not name a path of this server.');
    const pathname = target.replace(/[?#].*$/s, '');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (pathname === OAI_PATH) return void readCurrent().oai(request, response);
    if (dir !== undefined && pathname.startsWith('/media/tiles/')) {
      // Pages on other hosts may read the images (IIIF Image API 3.0, §7.1).
      response.setHeader('Access-Control-Allow-Origin', '*');
      if (request.method === 'OPTIONS') response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
    }
    if (isRead && dir !== undefined && serveFromSite(dir, pathname, request, response)) return;
    const { api, shown } = isForwarded(request) ? readCurrent().toOthers : readCurrent().toThisMachine;
    if (pathname.startsWith('/api/')) return void api(request, response);
    const methods = { allow: 'GET, HEAD, OPTIONS' };
    if (request.method === 'OPTIONS') return void response.writeHead(204, methods).end();
    if (!isRead) return void sendText(response, 405, 'Only GET, HEAD and OPTIONS requests are accepted.', methods);
    const media = findMedia(shown, target);
    if (!media) return void serveNotFound(dir, request, response);
    for (const [name, value] of Object.entries(media.headers)) response.setHeader(name, value);
    sendFile(request, response, media.file);
  }

  return (request, response) => {
    try {
      respond(request, response);
    } catch (error) {
      console.error(`microfiche: ${request.method} ${toPrintable(request.url ?? '')}: ${toPrintable((error as Error).message)}`);
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'Internal error. See the output of the server for the cause.');
    }
  };
}

/** Returns a request's path and query, if any. The host of an absolute URL (RFC 9112 §3.2.2) replaces the Host header. */
function requestTarget(request: IncomingMessage): string | undefined {
  const { url = '' } = request;
  if (url.startsWith('/')) return url;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { host, pathname, search } = new URL(url);
  request.headers.host = host;
  request.url = `${pathname}${search}`;
  return request.url;
}

const INDEX = 'index.html';
const NOT_FOUND = '404.html';
/** Files that IIIF viewers on other hosts read. Everything in a site is public, unlike the media of a snapshot. */
const FOR_VIEWERS = /^(?:iiif|media|thumbs)\//;

/** Responds with the site's file at a path. Returns false, without a response, if it has none. */
function serveFromSite(dir: string, pathname: string, request: IncomingMessage, response: ServerResponse): boolean {
  const isDirectory = pathname.endsWith('/');
  const name = parseFileName(isDirectory ? `${pathname}${INDEX}` : pathname);
  if (name === undefined) return false;
  const file = findFile(dir, name);
  if (file) {
    if (FOR_VIEWERS.test(name)) response.setHeader('Access-Control-Allow-Origin', '*');
    sendPage(request, response, file);
  } else if (!isDirectory && findFile(dir, `${name}/${INDEX}`)) sendText(response, 301, 'Moved', { location: `${pathname}/` });
  else return false;
  return true;
}

/** Responds with 404 and the site's own page for it, if there is one. */
function serveNotFound(dir: string | undefined, request: IncomingMessage, response: ServerResponse): void {
  const page = dir === undefined ? undefined : findFile(dir, NOT_FOUND);
  if (!page) return void sendText(response, 404, 'Not found');
  response.statusCode = 404;
  for (const name of Object.keys(request.headers)) if (/^(?:range|if-)/.test(name)) delete request.headers[name];
  sendPage(request, response, page);
}

function sendPage(request: IncomingMessage, response: ServerResponse, file: FoundFile): void {
  response.setHeader('Referrer-Policy', 'no-referrer');
  const type = contentType(file.path.slice(file.path.lastIndexOf('.'))) || 'application/octet-stream';
  sendFile(request, response, { ...file, type, etag: weakTag(file), compress: true });
}

/** Images, recordings and plain text, which browsers show without running scripts. */
const DISPLAYED_TYPES = /^(?:image\/(?!svg)[\w.-]+|(?:audio|video)\/[\w.-]+|application\/ogg|text\/(?:plain|vtt))$/;
/** Other types that are sent unchanged, for downloading. */
const DOWNLOADED_TYPES = /^application\/(?:pdf|zip|epub\+zip|rtf|msword|vnd\.[\w.-]+)$/;
/** Text types that browsers run or render. */
const ACTIVE_TEXT = /^text\/|[/+](?:xml|json)$|^application\/(?:javascript|ecmascript|x-javascript)$|^image\/svg/;

/** Returns a content type with which no browser runs or renders a file as a script, a page, SVG or XML. */
function safeType(mimetype: string | null): string {
  const type = mimetype?.toLowerCase() ?? '';
  if (DISPLAYED_TYPES.test(type) || DOWNLOADED_TYPES.test(type)) return type;
  return ACTIVE_TEXT.test(type) ? 'text/plain' : 'application/octet-stream';
}

/** With it, browsers run nothing in a media file even if its content type is wrong. */
const RUN_NOTHING = { 'Content-Security-Policy': "sandbox; default-src 'none'" };

/** Returns the media file with this path and query at upstream; undefined if it is withheld or not in the snapshot. */
function findMedia(store: Store, target: string): { file: FileResponse; headers: Record<string, string> } | undefined {
  const row = findMediaRow(store, target);
  if (row?.state !== 'stored' || row.path === null) return undefined;
  if (parseFileName(`/${encodeURI(row.path)}`) === undefined) return undefined;
  const found = findFile(store.dir, row.path);
  if (!found || containsWithheldNames(store, join(found.root, found.path), row.mimetype)) return undefined;
  const isIntact = found.stats.size === row.size && /^[0-9a-f]{64}$/.test(row.sha256 ?? '');
  const isDisplayed = DISPLAYED_TYPES.test(row.mimetype?.toLowerCase() ?? '');
  return {
    file: { ...found, type: safeType(row.mimetype), etag: isIntact ? String(row.sha256) : weakTag(found), compress: false },
    headers: { ...RUN_NOTHING, ...(isDisplayed ? {} : { 'Content-Disposition': 'attachment' }) },
  };
}

/** Finds a file regardless of scheme and query, since records name files with and without them. */
function findMediaRow(store: Store, target: string): StoredMedia | undefined {
  const { authors, catalog } = readBaseUrls(store);
  const pathname = target.replace(/\?.*$/s, '');
  for (const base of new Set([catalog, authors])) {
    const bare = base.replace(/^https?:/, '');
    for (const start of [base, `https:${bare}`, `http:${bare}`]) {
      const row = readMediaByUrl(store, `${start}${target}`) ?? readMediaByUrl(store, `${start}${pathname}`);
      if (row) return row;
    }
  }
  return undefined;
}
