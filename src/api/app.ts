/** Serves both APIs (docs/upstream-api.md) from a snapshot, so that it can be harvested like upstream. */
import { type Context, Hono } from 'hono';
import type { Withdrawal } from '../catalogue/read/withholding.ts';
import { readAuthor } from '../model/guide/guide.ts';
import { parseJson } from '../model/json.ts';
import { rewriteLinks } from '../model/rewrite-links.ts';
import { decodePercent } from '../model/text/percent.ts';
import { isObject } from '../model/values.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { listItems } from '../snapshot/lists.ts';
import { bodyText, readBaseUrls, readBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { createEnvelope, JSON_HEADERS, type PageRequest, parsePageRequest, wholePage } from './envelope.ts';
import { createIndexRoutes, type IndexOptions } from './index-routes.ts';
import { createPageSlicer, type Fault } from './simulated-faults.ts';

/** What the APIs withhold, and the faults that they simulate. */
export interface ApiOptions extends IndexOptions {
  faults?: ReadonlySet<Fault>;
  /** Returns why a record was withdrawn; undefined if it was not. */
  withdrawalOf?: (id: string) => Withdrawal | undefined;
}

/** Kinds of records of the guide by their paths. */
const GUIDE_KINDS: Readonly<Record<string, 'author' | 'article' | 'source'>> = {
  authors: 'author',
  articles: 'article',
  sources: 'source',
};
/** Length of pages of children and files, regardless of the requested limit (docs/upstream-api.md, "Paging"). */
const FIXED_LIMIT = 25;
/** Links of a record that repeat the request's `format` (docs/upstream-api.md, "Record links"). */
const LINKS_WITH_FORMAT = ['html', 'json', 'parent', 'children', 'children-objects', 'children-files'];

/** Returns an app with the routes of both APIs below `/api/`. It caches what it reads: a changed snapshot needs a new one. */
export function createApi(store: Store, options: ApiOptions = {}): Hono {
  const baseUrls = readBaseUrls(store);
  const slicePage = createPageSlicer(options.faults ?? new Set());
  const { withdrawalOf = () => undefined, publicUrl, hasWholeLists = false } = options;
  const topOf = (url: URL) => publicUrl ?? url.origin;
  const app = new Hono();
  let authors: Record<string, unknown>[] | undefined;

  app.route('/', createIndexRoutes(store, baseUrls, options));
  app.all('/api/*', (c) => {
    const url = new URL(c.req.url);
    const [, version, ...path] = url.pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decodePercent);
    if (c.req.method === 'OPTIONS') return respondJson(c, { name: 'Read API', renders: ['application/json'], parses: [] });
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD')
      return respondJson(c, { detail: `Method "${c.req.method}" not allowed.` }, 405);
    if (version === '3.0') return guide(c, url, path);
    if (version === '0.2') return catalog(c, url, path);
    return respondJson(c, { detail: `Unknown API version: ${version ?? ''}` }, 400);
  });

  function guide(c: Context, url: URL, [kind, name, ...rest]: string[]): Response {
    if (rest.length > 0) return respondNotFound(c);
    if (kind === 'authors' && name === undefined) return authorList(c, url);
    const recordKind = GUIDE_KINDS[kind ?? ''];
    return recordKind && name !== undefined ? stored(c, url, recordKind, name) : respondNotFound(c);
  }

  function catalog(c: Context, url: URL, [id, list, ...rest]: string[]): Response {
    if (id === undefined || rest.length > 0) return respondNotFound(c);
    const ground = withdrawalOf(id);
    // A withdrawal without a notice is like a record that does not exist.
    if (ground?.notice) return respondJson(c, { detail: `Withdrawn on ${ground.date}: ${ground.reason}` }, 410);
    if (ground) return respondNotFound(c);
    if (store.filter?.hides('object', id)) return respondNotFound(c);
    if (list === undefined) return stored(c, url, 'object', id);
    return list === 'children' || list === 'files' ? objectList(c, url, list, id) : respondNotFound(c);
  }

  /** The authors list (docs/upstream-api.md, "Requests"). */
  function authorList(c: Context, url: URL): Response {
    const requested = parsePageRequest(url.searchParams);
    if ('detail' in requested) return respondJson(c, requested, 400);
    authors ??= listItems(store, 'authors', '').sort((a, b) => compareText(readAuthor(a)?.titleSort, readAuthor(b)?.titleSort));
    const page = hasWholeLists ? wholePage(authors) : requested;
    const slice = slicePage('authors', authors, page.offset, page.limit);
    const objects = slice.objects.map((entry, position) => ({
      ...entry,
      index: `${position} ${page.offset + position}/{'value': ${slice.total}, 'relation': 'eq'}`,
      links: addFormatToLinks(entry['links'], page),
    }));
    const top = `${topOf(url)}/api/3.0/authors/?`;
    return rewritten(c, url, JSON.stringify(createEnvelope({ ...slice, objects }, page, top, { sort: ['title_sort'] })));
  }

  /** The lists of a record (docs/upstream-api.md, "Requests"). */
  function objectList(c: Context, url: URL, list: 'children' | 'files', id: string): Response {
    const requested = parsePageRequest(url.searchParams);
    if ('detail' in requested) return respondJson(c, requested, 400);
    const items = listItems(store, list, id);
    if (items.length === 0 && !readBody(store, 'object', id)) return respondNotFound(c);
    const page = hasWholeLists ? wholePage(items) : { ...requested, limit: FIXED_LIMIT };
    const slice = slicePage(`${list} ${id}`, items, page.offset, page.limit);
    const objects = slice.objects.map((item) => ({ ...item, links: addFormatToLinks(item['links'], page) }));
    const top = `${topOf(url)}/api/0.2/${encodeURIComponent(id)}/${list}/?&`;
    return rewritten(c, url, JSON.stringify(createEnvelope({ ...slice, objects }, page, top, { sort: ['sort'] })));
  }

  function stored(c: Context, url: URL, kind: 'author' | 'article' | 'source' | 'object', name: string): Response {
    const version = readBody(store, kind, name);
    if (!version) return respondNotFound(c);
    const body = bodyText(version);
    return rewritten(c, url, url.searchParams.get('format') === 'api' ? addFormatToBody(body) : body);
  }

  function rewritten(c: Context, url: URL, body: string): Response {
    return c.body(rewriteLinks(body, baseUrls, topOf(url)), 200, JSON_HEADERS);
  }

  app.onError((error, c) => {
    console.error(`microfiche: ${toPrintable(c.req.url)}: ${toPrintable(error.message)}`);
    return respondJson(c, { detail: 'Internal error. See the output of the server for the cause.' }, 500);
  });
  return app;
}

function respondJson(c: Context, payload: unknown, status: 200 | 400 | 405 | 410 | 500 = 200): Response {
  return c.body(JSON.stringify(payload), status, JSON_HEADERS);
}

/** Responds with 404 and an empty body, as the service does (docs/upstream-api.md, "Errors"). */
const respondNotFound = (c: Context): Response => c.body(null, 404, JSON_HEADERS);

function addFormatToLinks(links: unknown, { format }: PageRequest): unknown {
  if (!format || !isObject(links)) return links;
  return Object.fromEntries(
    Object.entries(links).map(([name, href]) => [
      name,
      LINKS_WITH_FORMAT.includes(name) && typeof href === 'string' ? `${href}${href.includes('?') ? '&' : '?'}format=api` : href,
    ]),
  );
}

function addFormatToBody(body: string): string {
  const record = parseJson(body);
  if (!isObject(record)) return body;
  return JSON.stringify({ ...record, links: addFormatToLinks(record['links'], { format: true, limit: 0, offset: 0 }) });
}

const compareText = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
