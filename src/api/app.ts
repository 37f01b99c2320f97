/** Serves both APIs (docs/upstream-api.md) from a snapshot, so that it can be harvested in turn. */
import { type Context, Hono } from 'hono';
import type { Ground } from '../catalogue/withholding.ts';
import { readAuthor } from '../model/guide.ts';
import { decode } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { printable } from '../platform/lines.ts';
import { listItems } from '../snapshot/lists.ts';
import { basesOf, bodyOf, textOf } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { envelope, type PageRequest, readPageRequest } from './envelope.ts';
import { cutter, type Fault } from './faults.ts';
import { indexRoutes } from './index-routes.ts';
import { rewriteLinks } from './rewrite.ts';

/** What the APIs leave out or get wrong on purpose. */
export interface ApiOptions {
  faults?: ReadonlySet<Fault>;
  /** Returns why a record was withdrawn; undefined if it was not. */
  groundOf?: (id: string) => Ground | undefined;
}

const HEADERS = { allow: 'GET, OPTIONS', vary: 'Accept', 'content-type': 'application/json' };
/** Length of pages of children and files, regardless of the requested limit (docs/upstream-api.md, "Paging"). */
const FIXED_LIMIT = 25;
/** Links of a record that repeat the request's `format` (docs/upstream-api.md, "Record links"). */
const ECHOING_LINKS = ['html', 'json', 'parent', 'children', 'children-objects', 'children-files'];

/** Returns an app with the routes of both APIs below `/api/`. */
export function createApi(store: Store, options: ApiOptions = {}): Hono {
  const bases = basesOf(store);
  const cut = cutter(options.faults ?? new Set());
  const { groundOf = () => undefined } = options;
  const app = new Hono();
  let authors: Record<string, unknown>[] | undefined;

  app.route('/', indexRoutes(store, bases));
  app.all('/api/*', (c) => {
    const url = new URL(c.req.url);
    const [, version, ...path] = url.pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decode);
    if (c.req.method === 'OPTIONS') return json(c, { name: 'Read API', renders: ['application/json'], parses: [] });
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD')
      return json(c, { detail: `Method "${c.req.method}" not allowed.` }, 405);
    if (version === '3.0') return guide(c, url, path);
    if (version === '0.2') return catalog(c, url, path);
    return json(c, { detail: `Unknown API version: ${version ?? ''}` }, 400);
  });

  function guide(c: Context, url: URL, [kind, name, ...rest]: string[]): Response {
    if (rest.length > 0) return missing(c);
    if (kind === 'authors' && name === undefined) return authorList(c, url);
    const recordKind = { authors: 'author', articles: 'article', sources: 'source' }[kind ?? ''] as
      | 'author'
      | 'article'
      | 'source'
      | undefined;
    return recordKind && name !== undefined ? stored(c, url, recordKind, name) : missing(c);
  }

  function catalog(c: Context, url: URL, [id, list, ...rest]: string[]): Response {
    if (id === undefined || rest.length > 0) return missing(c);
    const ground = groundOf(id);
    if (ground) return withdrawn(c, ground);
    if (store.view?.hides('object', id)) return missing(c);
    if (list === undefined) return stored(c, url, 'object', id);
    return list === 'children' || list === 'files' ? objectList(c, url, list, id) : missing(c);
  }

  /** The authors list (docs/upstream-api.md, "Requests"). */
  function authorList(c: Context, url: URL): Response {
    const page = readPageRequest(url.searchParams);
    if ('detail' in page) return json(c, page, 400);
    authors ??= listItems(store, 'authors', '').sort((a, b) => compareText(readAuthor(a)?.titleSort, readAuthor(b)?.titleSort));
    const slice = cut('authors', authors, page.offset, page.limit);
    const objects = slice.objects.map((entry, position) => ({
      ...entry,
      index: `${position} ${page.offset + position}/{'value': ${slice.total}, 'relation': 'eq'}`,
      links: withFormat(entry['links'], page),
    }));
    return rewritten(
      c,
      url,
      JSON.stringify(
        envelope({ objects, total: slice.total }, page, `${url.origin}/api/3.0/authors/?`, { sort: ['title_sort'] }),
      ),
    );
  }

  /** The lists of a record (docs/upstream-api.md, "Requests"). */
  function objectList(c: Context, url: URL, list: 'children' | 'files', id: string): Response {
    const requested = readPageRequest(url.searchParams);
    if ('detail' in requested) return json(c, requested, 400);
    const items = listItems(store, list, id);
    if (items.length === 0 && !bodyOf(store, 'object', id)) return missing(c);
    const page = { ...requested, limit: FIXED_LIMIT };
    const slice = cut(`${list} ${id}`, items, page.offset, page.limit);
    const objects = slice.objects.map((item) => ({ ...item, links: withFormat(item['links'], page) }));
    return rewritten(
      c,
      url,
      JSON.stringify(
        envelope({ objects, total: slice.total }, page, `${url.origin}/api/0.2/${encodeURIComponent(id)}/${list}/?&`, {
          sort: ['sort'],
        }),
      ),
    );
  }

  function stored(c: Context, url: URL, kind: 'author' | 'article' | 'source' | 'object', name: string): Response {
    const version = bodyOf(store, kind, name);
    if (!version) return missing(c);
    const body = textOf(version);
    return rewritten(c, url, url.searchParams.get('format') === 'api' ? echoFormat(body) : body);
  }

  function rewritten(c: Context, url: URL, body: string): Response {
    return c.body(rewriteLinks(body, bases, url.origin), 200, HEADERS);
  }

  app.onError((error, c) => {
    console.error(`microfiche: ${printable(c.req.url)}: ${printable(error.message)}`);
    return json(c, { detail: 'Internal error. See the output of the server for the cause.' }, 500);
  });
  return app;
}

function json(c: Context, payload: unknown, status: 200 | 400 | 405 | 410 | 500 = 200): Response {
  return c.body(JSON.stringify(payload), status, HEADERS);
}

/** 404 with an empty body, as the service sends it (docs/upstream-api.md, "Errors"). */
function missing(c: Context): Response {
  return c.body(null, 404, HEADERS);
}

/** 410 with the reason for a withdrawn record, or 404 if the archive does not want a notice. */
function withdrawn(c: Context, { reason, date, notice }: Ground): Response {
  return notice ? json(c, { detail: `Withdrawn on ${date}: ${reason}` }, 410) : missing(c);
}

function withFormat(links: unknown, { format }: PageRequest): unknown {
  if (!format || !isObject(links)) return links;
  return Object.fromEntries(
    Object.entries(links).map(([name, href]) => [
      name,
      ECHOING_LINKS.includes(name) && typeof href === 'string' ? addFormat(href) : href,
    ]),
  );
}

function echoFormat(body: string): string {
  const record = JSON.parse(body) as unknown;
  if (!isObject(record)) return body;
  return JSON.stringify({ ...record, links: withFormat(record['links'], { format: true, limit: 0, offset: 0 }) });
}

function addFormat(href: string): string {
  return `${href}${href.includes('?') ? '&' : '?'}format=api`;
}

function compareText(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
