/**
 * Reads the catalog index with its lists of narrators and facets (docs/upstream-api.md, "Catalog index"). No part of it is
 * specified, so an absent or unexpected response is not a failure.
 */
import { isObjectId } from '../model/ids.ts';
import { entryIdentity, type ListPage, parseListPage } from '../model/lists.ts';
import { parseRecord } from '../model/records.ts';
import { type BaseUrls, type IndexKind, indexPath, indexPathInUrl, objectIdInUrl, type Resource } from '../model/resources.ts';
import { isObject, text } from '../model/values.ts';
import type { DiscoveredResource } from '../snapshot/write.ts';
import { firstPage } from './list-tracker.ts';

/** The catalog index, as a resource. */
export const INDEX_RESOURCE: Resource = { kind: 'index', name: '', speculative: true };

/** What the catalog index names. */
export interface IndexContents {
  /** Discovered resources by the key of the index that names them: `repository`, `narrators` or `facets`. */
  ways: Array<{ way: string; resources: DiscoveredResource[] }>;
  /** URLs outside the records API. */
  refused: string[];
}

/** Facets whose lists of terms upstream is known to have, even if its list of facets fails. */
const KNOWN_FACETS = ['topics', 'facility'];

/** Reads the catalog index; undefined if the payload is none. Some services respond with the repository's record instead. */
export function readIndex(payload: unknown, baseUrls: BaseUrls): IndexContents | undefined {
  const record = parseRecord(payload);
  if (record) return { ways: [{ way: 'repository', resources: [{ kind: 'object', name: record.id }] }], refused: [] };
  if (!isObject(payload)) return undefined;
  const ways: IndexContents['ways'] = [];
  const refused: string[] = [];
  for (const way of ['repository', 'narrators', 'facets'] as const) {
    const url = text(payload[way]);
    if (url === undefined) continue;
    const resources = way === 'repository' ? objectFromUrl(url, baseUrls) : listFromUrl(way, url, baseUrls);
    if (resources) ways.push({ way, resources });
    else refused.push(url);
  }
  return ways.length > 0 || refused.length > 0 ? { ways, refused } : undefined;
}

function objectFromUrl(url: string, baseUrls: BaseUrls): DiscoveredResource[] | undefined {
  const id = isObjectId(url) ? url : objectIdInUrl(url, baseUrls);
  return id === undefined ? undefined : [{ kind: 'object', name: id }];
}

function listFromUrl(way: 'narrators' | 'facets', url: string, baseUrls: BaseUrls): DiscoveredResource[] | undefined {
  const path = indexPathInUrl(url, baseUrls);
  if (path === undefined) return undefined;
  const knownLists =
    way === 'facets' ? KNOWN_FACETS.map((facet) => speculativeList('terms', [path, `${facet}/children`].join('/'))) : [];
  return [speculativeList(way, path), ...knownLists];
}

/**
 * Reads a page of one of the index's lists and returns the resources that it names; undefined if the payload is not a list.
 * A list of facets may also be an object with a URL per facet. It then has no `page`.
 */
export function extractFromIndexList(
  kind: Exclude<IndexKind, 'index'>,
  path: string,
  payload: unknown,
  baseUrls: BaseUrls,
): { discovered: DiscoveredResource[]; page?: ListPage } | undefined {
  const read = parseListPage(payload);
  // Some services send lists of facets and terms with a wrong total and no next page, but serve each offset
  // (docs/upstream-api.md, "Catalog index").
  const isReliable = kind !== 'facets' && kind !== 'terms';
  const page = isReliable ? read : read && { ...read, total: undefined, isLast: false };
  if (page) return { page, discovered: page.items.flatMap((item) => discoveredIn(kind, path, item, baseUrls)) };
  if (kind !== 'facets' || !isObject(payload)) return undefined;
  const facets = Object.keys(payload).filter((name) => typeof payload[name] === 'string');
  return { discovered: facets.map((id) => speculativeList('terms', pathBelow(path, id, 'children'))) };
}

/** Returns the resources that a list entry names. The entry's own links take precedence if they are within the records API. */
function discoveredIn(
  kind: Exclude<IndexKind, 'index'>,
  path: string,
  item: Record<string, unknown>,
  baseUrls: BaseUrls,
): DiscoveredResource[] {
  const id = entryIdentity(item);
  const list = LISTS_OF_ENTRIES[kind];
  if (list) {
    if (id === undefined) return [];
    const above = kind === 'terms' ? path.replace(/\/children$/, '') : path;
    return [speculativeList(list.kind, findLink(item, list.last, baseUrls) ?? pathBelow(above, id, list.last))];
  }
  const json = isObject(item['links']) ? text(item['links']['json']) : undefined;
  const object = isObjectId(id) ? id : json === undefined ? undefined : objectIdInUrl(json, baseUrls);
  return object === undefined ? [] : [{ kind: 'object', name: object, listEntry: item }];
}

/** The lists that entries of other lists have, and the last parts of their paths. */
const LISTS_OF_ENTRIES: { [Kind in IndexKind]?: { kind: Exclude<IndexKind, 'index'>; last: string } } = {
  narrators: { kind: 'interviews', last: 'interviews' },
  facets: { kind: 'terms', last: 'children' },
  terms: { kind: 'holdings', last: 'objects' },
};

/** Returns the path of an entry's first link that ends in `last`. */
function findLink(item: Record<string, unknown>, last: string, baseUrls: BaseUrls): string | undefined {
  return Object.values(isObject(item['links']) ? item['links'] : {})
    .flatMap((href) => (typeof href === 'string' ? (indexPathInUrl(href, baseUrls) ?? []) : []))
    .find((path) => path.endsWith(`/${last}`));
}

const pathBelow = (path: string, id: string, list: string): string => `${path}/${indexPath([id, list])}`;

/** None of these lists is specified, so a request for one is speculative. */
function speculativeList(kind: Exclude<IndexKind, 'index'>, path: string): DiscoveredResource {
  return { ...firstPage(kind, path), speculative: true };
}
