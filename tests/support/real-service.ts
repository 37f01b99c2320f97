/** Test upstream like the real service, with its errors, incomplete envelopes, directories and quota; an invented archive. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObjectId } from '../../src/model/ids.ts';
import { createImage } from './file-server.ts';
import { type Archive, createArchive, FILES, TRANSCRIPT } from './real-service/archive.ts';
import { GUIDE_SITE } from './real-service/guide.ts';
import { below, creatorsOf, describeEntry, describeRecord, modelOf } from './real-service/records.ts';
import { respond, respondWith, startTestUpstream, type TestUpstream } from './test-upstream.ts';

type Fields = Record<string, unknown>;

/** A running service. Its `routes` take precedence over the archive. */
export interface RealService extends TestUpstream {
  archive: Archive;
  /** Requests to the APIs that are served today; all others get 429 with a Retry-After of most of a day. */
  quota: { perDay: number; used: number };
}

/** Entries per list page. The real service has 25; here, small archives have several pages. `limit` has no effect. */
export const PAGE_LENGTH = 10;
/** Seconds until the quota is renewed. */
export const RETRY_AFTER_SECONDS = 80_000;

/** Starts the service. `requestsPerDay` is its quota for anonymous clients. */
export async function startRealService({ shared = false, requestsPerDay = 10_000 } = {}): Promise<RealService> {
  const image = await createImage();
  const quota = { perDay: requestsPerDay, used: 0 };
  const upstream = await startTestUpstream({
    shared,
    otherwise: (request, response) => handleRequest(service, image, request, response),
  });
  const service: RealService = Object.assign(upstream, { archive: createArchive(upstream.url), quota });
  upstream.routes.clear(); // the authors are in the archive
  return service;
}

const serverError = respondWith(500, { 'content-type': 'text/html; charset=utf-8' }, '<h1>Server Error (500)</h1>');
const notFound = respondWith(404, { 'content-type': 'application/json' }, '{"detail":"Not found."}');
const emptyNotFound = respondWith(404);

function handleRequest(service: RealService, image: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', service.url);
  const path = decodeURIComponent(pathname);
  const [, api, rest = ''] = /^\/api\/(0\.2|3\.0)\/(.*)$/.exec(path) ?? [];
  if (api === undefined) {
    respond(path.startsWith('/media/') ? mediaFile(path, image) : undefined, request, response);
    return;
  }
  service.quota.used++;
  const offset = Number(searchParams.get('offset') ?? 0);
  const at = { service, offset, path: pathname };
  const route = api === '3.0' ? guideResponse(at, rest) : recordsResponse(at, rest);
  respond(service.quota.used > service.quota.perDay ? throttled : route, request, response);
}

const throttled = respondWith(
  429,
  { 'content-type': 'application/json', 'retry-after': RETRY_AFTER_SECONDS },
  JSON.stringify({ detail: `Request was throttled. Expected available in ${RETRY_AFTER_SECONDS} seconds.` }),
);

/** Media: a path without a file name is a directory, which is listed with status 200. */
function mediaFile(path: string, image: Buffer): unknown {
  const name = path.split('/').at(-1) ?? '';
  const html = { 'content-type': 'text/html' };
  if (!name.includes('.')) return respondWith(200, html, `<html><title>Index of ${path}</title><a href="../">../</a></html>`);
  if (name.endsWith('.jpg')) return respondWith(200, { 'content-type': 'image/jpeg' }, image);
  return name === `${FILES.transcript}.htm` ? respondWith(200, html, TRANSCRIPT) : emptyNotFound;
}

interface At {
  service: RealService;
  offset: number;
  path: string;
}

/** Returns one page of a list. */
function listPage<Each>(
  { service, offset, path }: At,
  all: readonly Each[],
  format: (each: Each, index: string) => unknown,
): Fields {
  const next = offset + PAGE_LENGTH < all.length ? offset + PAGE_LENGTH : null;
  const previous = offset < PAGE_LENGTH ? null : offset - PAGE_LENGTH;
  const urlAt = (start: number | null) => (start === null ? '' : `${service.url}${path}?&limit=${PAGE_LENGTH}&offset=${start}`);
  const objects = all
    .slice(offset, offset + PAGE_LENGTH)
    .map((each, n) => format(each, `${n} ${offset + n}/{'value': ${all.length}, 'relation': 'eq'}`));
  return {
    ...{ total: all.length, limit: PAGE_LENGTH, offset, prev_offset: previous, next_offset: next, page_size: PAGE_LENGTH },
    ...{ this_page: Math.floor(offset / PAGE_LENGTH) + 1, num_this_page: objects.length },
    ...{ prev_api: urlAt(previous), next_api: urlAt(next), objects, query: {}, aggregations: {} },
  };
}

/** Lists of facets and of terms have another envelope: `total` counts the keys of the response, and no page names the next. */
function facetPage<Each>({ offset }: At, all: readonly Each[], format: (each: Each) => unknown): Fields {
  const objects = all.slice(offset, offset + PAGE_LENGTH).map(format);
  return { total: 3, page_size: PAGE_LENGTH, prev: null, next: null, aggregations: {}, objects };
}

function guideResponse(at: At, rest: string): unknown {
  const { archive, url } = at.service;
  const links = (kind: string, name: string) => ({
    json: `${url}/api/3.0/${kind}/${encodeURI(name)}/`,
    html: kind === 'articles' ? `${url}/${encodeURI(name)}/` : `${url}/${kind}/${encodeURI(name)}/`,
  });
  const [, kind = '', name] = /^(authors|articles|sources)\/(?:(.+)\/)?$/.exec(rest) ?? [];
  if (kind === 'authors' && name === undefined)
    return listPage(at, [...archive.authors.keys()], (title, index) => ({
      ...{ id: title, model: 'article', index, links: links('authors', title), url_title: title, title },
      ...{ title_sort: title.toLowerCase().replaceAll(' ', ''), published: true },
    }));
  if (name === undefined) return emptyNotFound;
  const titled = (of: string, titles: unknown) =>
    (Array.isArray(titles) ? titles : []).map((title: string) => ({ title, ...links(of, title) }));
  const author = archive.authors.get(name);
  if (kind === 'authors' && author) {
    const { body, articles } = author;
    return {
      id: name,
      doctype: 'authors',
      links: links('authors', name),
      title: name,
      modified: null,
      body,
      articles: titled('articles', articles),
    };
  }
  const article = archive.articles.get(name);
  if (kind === 'articles' && article) {
    const { source_ids = [], categories, authors, ...fields } = article;
    return {
      id: name,
      doctype: 'articles',
      title: name,
      title_sort: name.toLowerCase(),
      links: links('articles', name),
      ...fields,
      topics: [],
      categories: titled('articles', categories).map(({ title }) => ({ title })),
      authors: titled('authors', authors),
      source_ids,
      sources: (source_ids as string[]).map((id) => ({ id, ...links('sources', id) })),
    };
  }
  // The service fails on pages of the guide's site that are not in the guide.
  if (kind === 'articles')
    return [...archive.authors.values()].some(({ articles }) => articles.includes(name)) ? serverError : emptyNotFound;
  const source = archive.sources.get(name);
  if (kind !== 'sources' || !source) return emptyNotFound;
  const ownLinks = {
    ...links('sources', name),
    img: `${url}/media/${source['img_path']}`,
    encyc: `${GUIDE_SITE}/sources/${name}`,
  };
  return {
    id: name,
    doctype: 'sources',
    links: ownLinks,
    encyclopedia_id: name,
    psms_id: null,
    display: null,
    transcript: null,
    ...source,
  };
}

function recordsResponse(at: At, rest: string): unknown {
  const { archive, url } = at.service;
  const api = `${url}/api/0.2`;
  if (rest === '')
    return { facets: `${api}/facet/`, narrators: `${api}/narrator/`, repository: `${api}/kelp/`, search: `${api}/search/` };
  const [first = '', second = '', third = '', fourth] = rest.split('/');
  if (first === 'narrator') return narratorsResponse(at, second, third);
  if (first === 'facet') return facetsResponse(at, second, third, fourth);
  // Of all that does not exist, only the list of files gets 404.
  if (!archive.records.has(first)) return second === 'files' && isObjectId(first) ? notFound : serverError;
  if (second === '') return describeRecord(at.service, first);
  const model = modelOf(archive, first);
  if (second !== 'files' && (second !== 'children' || model === 'file')) return serverError;
  const models = second === 'files' ? ['file'] : (CHILD_MODELS[model] ?? []);
  return listPage(at, below(archive, first, models), (id, index) => describeEntry(at.service, id, index));
}

const CHILD_MODELS: Record<string, readonly string[]> = {
  repository: ['organization'],
  organization: ['collection'],
  collection: ['entity'],
  entity: ['entity', 'segment'],
  segment: ['file'],
};

function narratorsResponse(at: At, id: string, list: string): unknown {
  const { archive, url } = at.service;
  const describeNarrator = (narrator: Fields, more: Fields = {}) => ({
    ...{ id: narrator['id'], model: 'narrator', ...more },
    links: {
      ...{ html: `${url}/narrators/${narrator['id']}/`, json: `${url}/api/0.2/narrator/${narrator['id']}/` },
      ...{
        img: `${url}/media/narrators/${narrator['image_url'] ?? ''}`,
        thumb: `${url}/media/narrators/${narrator['image_url'] ?? ''}`,
      },
      interviews: `${url}/api/0.2/narrator/${narrator['id']}/interviews/`,
    },
    ...Object.fromEntries(Object.entries(narrator).filter(([key, value]) => value !== '' && key !== 'image_url' && key !== 'id')),
  });
  if (id === '') return listPage(at, [...archive.narrators.values()], (narrator, index) => describeNarrator(narrator, { index }));
  if (list === 'interviews') {
    const spoken = below(archive, 'kelp', ['entity']).filter((entity) =>
      creatorsOf(archive, entity).some(({ oh_id, id: old }) => String(oh_id ?? old) === id),
    );
    const objects = spoken.map((entity) => describeEntry(at.service, entity));
    const note = { NOTE: '> > > Temporary API modification < < <', total: objects.length, limit: 1000, offset: 0 };
    return { ...note, prev_offset: null, next_offset: null, prev_api: '', next_api: '', objects, query: {}, aggregations: {} };
  }
  const narrator = archive.narrators.get(id);
  return narrator ? describeNarrator(narrator) : serverError;
}

function facetsResponse(at: At, facet: string, term: string, list: string | undefined): unknown {
  const { archive, url } = at.service;
  const api = `${url}/api/0.2/facet`;
  if (facet === '')
    return facetPage(at, Object.keys(archive.facets), (id) => ({
      id,
      model: 'ddrfacet',
      links: { children: `${api}/${id}/children/` },
    }));
  const terms = archive.facets[facet];
  if (!terms) return serverError;
  if (term === 'children')
    return facetPage(at, terms, ([id, title]) => ({
      ...{ id: `${facet}-${id}`, model: 'ddrfacetterm', facet, term_id: id, title },
      links: { json: `${api}/${facet}/${id}/`, objects: `${api}/${facet}/${id}/objects/` },
    }));
  if (list !== 'objects' || !terms.some(([id]) => id === term)) return serverError;
  const hasTerm = (id: string) =>
    (archive.records.get(id)?.[facet] as Array<{ id: string }> | undefined)?.some((each) => each.id === term);
  return listPage(at, [...archive.records.keys()].filter(hasTerm), (id, index) => describeEntry(at.service, id, index));
}
