/** Serves a snapshot's catalog index, with facets, for `harvest --discover` (docs/upstream-api.md, "Catalog index"). */
import { type Context, Hono } from 'hono';
import { createNarratorFilter } from '../catalogue/people/narrators.ts';
import { createPublicationStatus } from '../catalogue/read/visibility.ts';
import { entryIdentity } from '../model/lists.ts';
import { type ArchivalRecord, parseRecord, type Term } from '../model/records.ts';
import { type BaseUrls, indexPath, narratorPath, urlOf } from '../model/resources.ts';
import { rewriteLinks } from '../model/rewrite-links.ts';
import { lazy } from '../platform/lazy.ts';
import { listItems } from '../snapshot/lists.ts';
import { bodyText, parseBody, readBodies, readBody, readResourceNames } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { createEnvelope, JSON_HEADERS, parsePageRequest, wholePage } from './envelope.ts';

type Entry = Record<string, unknown>;

/** Lists of the index, by path below `/api/0.2/`. */
type IndexLists = Map<string, { entries: Entry[]; sort: string }>;

/** The lists of the index, and the ID of the repository. */
export interface CatalogIndex {
  lists: IndexLists;
  repository: string | undefined;
}

/** How the index is served. */
export interface IndexOptions {
  /** The URL that replaces both base URLs in bodies, without a slash at its end. By default, the origin of each request. */
  publicUrl?: string;
  /** Whether every list is one page, regardless of the request: for copies on servers that ignore parameters. */
  hasWholeLists?: boolean;
  /** The index, if it was read already. */
  index?: CatalogIndex;
}

/** Facets whose terms have IDs. */
const FACETS_WITH_IDS = ['topics', 'facility'] as const;

/** Returns the routes of the index. Mount them before the routes of records, which get the requests that do not match. */
export function createIndexRoutes(store: Store, baseUrls: BaseUrls, { publicUrl, hasWholeLists, index }: IndexOptions): Hono {
  const app = new Hono();
  const topOf = (c: Context) => publicUrl ?? new URL(c.req.url).origin;
  const loadIndex = lazy(() => index ?? readIndex(store, baseUrls));

  app.get('/api/0.2/', (c) => {
    const origin = topOf(c);
    const { repository } = loadIndex();
    const at = (path: string) => `${origin}/api/0.2/${path}/`;
    const body = { facets: at('facet'), narrators: at('narrator'), ...(repository ? { repository: at(repository) } : {}) };
    return c.body(JSON.stringify(body), 200, JSON_HEADERS);
  });

  for (const path of ['narrator/:rest{.*}', 'facet/:rest{.*}']) {
    app.get(`/api/0.2/${path}`, (c, next) => {
      const name = new URL(c.req.url).pathname.replace(/^\/api\/0\.2\/|\/$/g, '');
      const isRecord = readBody(store, 'object', name.split('/')[0] ?? '') !== undefined;
      const narrator = readBody(store, 'narrator', name);
      if (narrator) return Promise.resolve(c.body(rewriteLinks(bodyText(narrator), baseUrls, topOf(c)), 200, JSON_HEADERS));
      const list = isRecord ? undefined : loadIndex().lists.get(name);
      return list ? Promise.resolve(listPage(c, name, list)) : next();
    });
  }

  function listPage(c: Context, name: string, { entries, sort }: { entries: Entry[]; sort: string }): Response {
    const url = new URL(c.req.url);
    const requested = parsePageRequest(url.searchParams);
    if ('detail' in requested) return c.body(JSON.stringify(requested), 400, JSON_HEADERS);
    const page = hasWholeLists ? wholePage(entries) : requested;
    const top = topOf(c);
    const slice = { objects: entries.slice(page.offset, page.offset + page.limit), total: entries.length };
    const body = JSON.stringify(createEnvelope(slice, page, `${top}/api/0.2/${name}/?`, { sort: [sort] }));
    return c.body(rewriteLinks(body, baseUrls, top), 200, JSON_HEADERS);
  }

  return app;
}

/** Returns the paths of all lists of the index, below `/api/0.2/`. */
export function listIndexPaths(store: Store, { lists }: CatalogIndex): string[] {
  return [...lists.keys(), ...readResourceNames(store, 'narrator')];
}

/** Reads all records that are public and have only public ancestors. */
export function readIndex(store: Store, baseUrls: BaseUrls): CatalogIndex {
  const narrators = { entries: [] as Entry[], sort: 'title' };
  const lists: IndexLists = new Map([['narrator', narrators]]);
  const visible = createPublicationStatus(store);
  const url = (path: string) => `${baseUrls.catalog}/api/0.2/${path}/`;
  const add = (list: string, path: string, entry: Entry, holdings: string, record: ArchivalRecord) => {
    if (!lists.has(holdings)) {
      lists.get(list)?.entries.push({ ...entry, links: { json: url(path) } });
      lists.set(holdings, { entries: [], sort: 'id' });
    }
    const { id, model, title } = record;
    const links = { json: urlOf({ kind: 'object', name: id }, baseUrls) };
    lists.get(holdings)?.entries.push({ id, model, title, links }); // docs/upstream-api.md, "List entries"
  };
  const facets = FACETS_WITH_IDS.map((id) => ({ id, title: id, links: { json: url(`facet/${id}`) } }));
  lists.set('facet', { entries: facets, sort: 'id' });
  for (const facet of FACETS_WITH_IDS) lists.set(`facet/${facet}/children`, { entries: [], sort: 'title' });
  let repository: string | undefined;
  for (const record of readRecords(store)) visible.note(record);
  for (const record of readRecords(store)) {
    if (!visible.record(record.id)) continue;
    if (record.model === 'repository') repository ??= record.id;
    for (const { oh_id: id, namepart } of record.creators) {
      const path = indexPath(['narrator', String(id)]);
      if (id !== undefined) add('narrator', path, { id: String(id), display_name: namepart }, `${path}/interviews`, record);
    }
    for (const facet of FACETS_WITH_IDS) {
      for (const { id, term } of new Set<Term>(record[facet])) {
        const path = indexPath(['facet', facet, String(id)]);
        if (id !== undefined) add(`facet/${facet}/children`, path, { id, title: term }, `${path}/objects`, record);
      }
    }
  }
  const ids = new Set(narrators.entries.map(({ id }) => id));
  const all = listItems(store, 'narrators', 'narrator');
  const isPrivate = all.length === 0 ? () => false : createNarratorFilter(store, (id) => !visible.record(id), false);
  const stored = all.filter((entry) => !isPrivate(narratorPath(entryIdentity(entry) ?? '')));
  const known = new Map(stored.map((entry) => [entryIdentity(entry), entry]));
  narrators.entries = [
    ...narrators.entries.map((entry) => ({ ...entry, ...known.get(String(entry['id'])) })),
    ...stored.filter((entry) => !ids.has(entryIdentity(entry))),
  ];
  return { lists, repository };
}

function* readRecords(store: Store): Generator<ArchivalRecord> {
  for (const stored of readBodies(store, 'object')) {
    const record = parseRecord(parseBody(stored));
    if (record?.id === stored.name) yield record;
  }
}
