/** Serves the catalog index from a snapshot, with its narrators and facets, for `harvest --discover` (docs/upstream-api.md, "Catalog index"). */
import { type Context, Hono } from 'hono';
import { published } from '../catalogue/visibility.ts';
import { type ArchivalRecord, readRecord, type Term } from '../model/records.ts';
import { type Bases, indexPath, urlOf } from '../model/resources.ts';
import { bodiesOf, bodyOf, parseBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { envelope, readPageRequest } from './envelope.ts';
import { rewriteLinks } from './rewrite.ts';

type Entry = Record<string, unknown>;

/** Lists of the index, by path below `/api/0.2/`. */
type Lists = Map<string, { entries: Entry[]; sort: string }>;

const HEADERS = { allow: 'GET, OPTIONS', vary: 'Accept', 'content-type': 'application/json' };
/** Facets whose terms have IDs. */
const FACETS = ['topics', 'facility'] as const;

/** Returns the routes of the index. Must be mounted before those of records, and passes on what it does not have. */
export function indexRoutes(store: Store, bases: Bases): Hono {
  const app = new Hono();
  let index: { lists: Lists; repository: string | undefined } | undefined;
  const loadIndex = () => {
    index ??= readLists(store, bases);
    return index;
  };

  app.get('/api/0.2/', (c) => {
    const { origin } = new URL(c.req.url);
    const { repository } = loadIndex();
    const at = (path: string) => `${origin}/api/0.2/${path}/`;
    const body = { facets: at('facet'), narrators: at('narrator'), ...(repository ? { repository: at(repository) } : {}) };
    return c.body(JSON.stringify(body), 200, HEADERS);
  });

  for (const path of ['narrator/:rest{.*}', 'facet/:rest{.*}']) {
    app.get(`/api/0.2/${path}`, (c, next) => {
      const name = new URL(c.req.url).pathname.replace(/^\/api\/0\.2\/|\/$/g, '');
      const list = bodyOf(store, 'object', name.split('/')[0] ?? '') ? undefined : loadIndex().lists.get(name);
      return list ? Promise.resolve(listPage(c, name, list)) : next();
    });
  }

  function listPage(c: Context, name: string, { entries, sort }: { entries: Entry[]; sort: string }): Response {
    const url = new URL(c.req.url);
    const page = readPageRequest(url.searchParams);
    if ('detail' in page) return c.body(JSON.stringify(page), 400, HEADERS);
    const slice = { objects: entries.slice(page.offset, page.offset + page.limit), total: entries.length };
    const body = JSON.stringify(envelope(slice, page, `${url.origin}/api/0.2/${name}/?`, { sort: [sort] }));
    return c.body(rewriteLinks(body, bases, url.origin), 200, HEADERS);
  }

  return app;
}

/** Reads all records that are public and are not below a record that is not. */
function readLists(store: Store, bases: Bases): { lists: Lists; repository: string | undefined } {
  const lists: Lists = new Map([['narrator', { entries: [], sort: 'title' }]]);
  const url = (path: string) => `${bases.catalog}/api/0.2/${path}/`;
  const add = (list: string, path: string, entry: Entry, holdings: string, record: ArchivalRecord) => {
    if (!lists.has(holdings)) {
      lists.get(list)?.entries.push({ ...entry, links: { json: url(path) } });
      lists.set(holdings, { entries: [], sort: 'id' });
    }
    lists.get(holdings)?.entries.push(brief(record, bases));
  };
  lists.set('facet', { entries: FACETS.map((id) => ({ id, title: id, links: { json: url(`facet/${id}`) } })), sort: 'id' });
  for (const facet of FACETS) lists.set(`facet/${facet}/children`, { entries: [], sort: 'title' });
  let repository: string | undefined;
  for (const record of publicRecords(store)) {
    if (record.model === 'repository') repository ??= record.id;
    for (const { oh_id: id, namepart } of record.creators) {
      const path = indexPath(['narrator', String(id)]);
      if (id !== undefined) add('narrator', path, { id: String(id), display_name: namepart }, `${path}/interviews`, record);
    }
    for (const facet of FACETS) {
      for (const { id, term } of new Set<Term>(record[facet])) {
        const path = indexPath(['facet', facet, String(id)]);
        if (id !== undefined) add(`facet/${facet}/children`, path, { id, title: term }, `${path}/objects`, record);
      }
    }
  }
  return { lists, repository };
}

function* publicRecords(store: Store): Generator<ArchivalRecord> {
  const visible = published(store);
  for (const record of recordsOf(store)) visible.note(record);
  for (const record of recordsOf(store)) if (visible.record(record.id)) yield record;
}

function* recordsOf(store: Store): Generator<ArchivalRecord> {
  for (const stored of bodiesOf(store, 'object')) {
    const record = readRecord(parseBody(stored));
    if (record?.id === stored.name) yield record;
  }
}

/** Returns the list entry of a record (docs/upstream-api.md, "List entries"). */
function brief({ id, model, title }: ArchivalRecord, bases: Bases): Entry {
  return { id, model, title, links: { json: urlOf({ kind: 'object', name: id }, bases) } };
}
