/**
 * An upstream with the records of a generated snapshot. It makes each response when it is requested, so that its memory does not
 * grow with the number of records. Argument: number of items. Prints its URL, then serves until it is stopped.
 */

import { collectionRecord, itemRecord, PER_COLLECTION, TOP_IDS, topRecord } from './generate-snapshot.ts';
import type { Json } from './records.ts';
import { createPage, sendJson, serveUpstream } from './upstream-server.ts';

const [, top] = TOP_IDS;
const items = Number(process.argv[2]);
const collections = Math.ceil(items / PER_COLLECTION);

/** Returns the number of an item, or of a collection's first item, by ID; undefined if the ID is malformed or does not exist. */
function parseName(id: string): { n: number; isItem: boolean } | undefined {
  const [, collection, item] = /^lica-bench-([1-9]\d{0,8})(?:-([1-9]\d{0,3}))?$/.exec(id) ?? [];
  if (collection === undefined) return undefined;
  const n = (Number(collection) - 1) * PER_COLLECTION + (item === undefined ? 0 : Number(item) - 1);
  const exists = n < items && (item === undefined || Number(item) <= PER_COLLECTION);
  return exists ? { n, isItem: item !== undefined } : undefined;
}

function recordOf(id: string): Json | undefined {
  const known = TOP_IDS.find((name) => name === id);
  if (known) return topRecord(known);
  const name = parseName(id);
  return name && (name.isItem ? itemRecord(name.n) : collectionRecord(name.n));
}

/** Returns how many children a record has, and how to make each. */
function childrenOf(id: string): { total: number; child: (n: number) => Json } | undefined {
  if (id === TOP_IDS[0]) return { total: 1, child: () => topRecord(top) };
  if (id === top) return { total: collections, child: (n) => collectionRecord(n * PER_COLLECTION) };
  const name = parseName(id);
  if (!name) return undefined;
  if (name.isItem) return { total: 0, child: () => ({}) };
  return { total: Math.min(PER_COLLECTION, items - name.n), child: (n) => itemRecord(name.n + n) };
}

function respondTo(url: string): Json | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (pathname === '/api/3.0/authors/') return createPage(0, () => ({}), searchParams);
  const [, id = '', list] = /^\/api\/0\.2\/([\w-]+)\/(?:(children|files)\/)?$/.exec(pathname) ?? [];
  if (list === undefined) return recordOf(id);
  const children = childrenOf(id);
  return children && createPage(list === 'files' ? 0 : children.total, children.child, searchParams);
}

serveUpstream((request, response) => sendJson(response, respondTo(request.url ?? '')));
