/**
 * Reads the catalog index with its lists of narrators and facets (docs/upstream-api.md, "Catalog index"). No part of it is specified, so an
 * absent or unexpected response is not a failure.
 */
import { isObjectId } from '../model/ids.ts';
import { entryName, type ListPage, readListPage } from '../model/lists.ts';
import { readRecord } from '../model/records.ts';
import { type Bases, type IndexKind, indexPath, indexPathInUrl, objectIdInUrl, type Resource } from '../model/resources.ts';
import { isObject, text } from '../model/values.ts';
import type { Lead } from '../snapshot/write.ts';
import { firstPage } from './lists.ts';

/** The catalog index, as a resource. */
export const INDEX: Resource = { kind: 'index', name: '', guess: true };

/** What the catalog index names. */
export interface IndexReading {
  /** Discovered resources by the key of the index that names them: `repository`, `narrators` or `facets`. */
  ways: Array<{ way: string; leads: Lead[] }>;
  /** URLs outside the records API. */
  refused: string[];
}

/** Facets whose lists of terms upstream is known to have, even if its list of facets fails. */
const KNOWN_FACETS = ['topics', 'facility'];

/** Reads the catalog index; undefined if the payload is not one. Some services respond with the record of the repository instead. */
export function readIndex(payload: unknown, bases: Bases): IndexReading | undefined {
  const record = readRecord(payload);
  if (record) return { ways: [{ way: 'repository', leads: [{ kind: 'object', name: record.id }] }], refused: [] };
  if (!isObject(payload)) return undefined;
  const ways: IndexReading['ways'] = [];
  const refused: string[] = [];
  for (const way of ['repository', 'narrators', 'facets'] as const) {
    const url = text(payload[way]);
    if (url === undefined) continue;
    const leads = way === 'repository' ? objectAt(url, bases) : listAt(way, url, bases);
    if (leads) ways.push({ way, leads });
    else refused.push(url);
  }
  return ways.length > 0 || refused.length > 0 ? { ways, refused } : undefined;
}

function objectAt(url: string, bases: Bases): Lead[] | undefined {
  const id = isObjectId(url) ? url : objectIdInUrl(url, bases);
  return id === undefined ? undefined : [{ kind: 'object', name: id }];
}

function listAt(way: 'narrators' | 'facets', url: string, bases: Bases): Lead[] | undefined {
  const path = indexPathInUrl(url, bases);
  if (path === undefined) return undefined;
  const knownLists =
    way === 'facets' ? KNOWN_FACETS.map((facet) => speculativeList('terms', [path, `${facet}/children`].join('/'))) : [];
  return [speculativeList(way, path), ...knownLists];
}

/**
 * Reads a page of one of the index's lists and returns the resources that it names; undefined if the payload is not a list. A list of facets
 * may also be an object with a URL per facet; it then has no `page`.
 */
export function followIndexList(
  kind: Exclude<IndexKind, 'index'>,
  path: string,
  payload: unknown,
  bases: Bases,
): { found: Lead[]; page?: ListPage } | undefined {
  const page = readListPage(payload);
  if (page) return { page, found: page.items.flatMap((item) => discoveredIn(kind, path, item, bases)) };
  if (kind !== 'facets' || !isObject(payload)) return undefined;
  const facets = Object.keys(payload).filter((name) => typeof payload[name] === 'string');
  return { found: facets.map((id) => speculativeList('terms', pathBelow(path, id, 'children'))) };
}

/** Returns the resources that a list entry names. The entry's own links win if they are within the records API. */
function discoveredIn(kind: Exclude<IndexKind, 'index'>, path: string, item: Record<string, unknown>, bases: Bases): Lead[] {
  const id = entryName(item);
  switch (kind) {
    case 'narrators':
      return id === undefined
        ? []
        : [speculativeList('interviews', findLink(item, /\/interviews$/, bases) ?? pathBelow(path, id, 'interviews'))];
    case 'facets':
      return id === undefined
        ? []
        : [speculativeList('terms', findLink(item, /\/children$/, bases) ?? pathBelow(path, id, 'children'))];
    case 'terms':
      return id === undefined
        ? []
        : [
            speculativeList(
              'holdings',
              findLink(item, /\/objects$/, bases) ?? pathBelow(path.replace(/\/children$/, ''), id, 'objects'),
            ),
          ];
    default: {
      const json = isObject(item['links']) ? text(item['links']['json']) : undefined;
      const object = isObjectId(id) ? id : json === undefined ? undefined : objectIdInUrl(json, bases);
      return object === undefined ? [] : [{ kind: 'object', name: object, line: item }];
    }
  }
}

/** Returns the path of an entry's first link that matches. */
function findLink(item: Record<string, unknown>, pattern: RegExp, bases: Bases): string | undefined {
  const links = Object.values(isObject(item['links']) ? item['links'] : {});
  return links
    .flatMap((href) => (typeof href === 'string' ? (indexPathInUrl(href, bases) ?? []) : []))
    .find((path) => pattern.test(path));
}

function pathBelow(path: string, id: string, list: string): string {
  return `${path}/${indexPath([id, list])}`;
}

/** None of these lists is specified, so a request for one is speculative. */
function speculativeList(kind: Exclude<IndexKind, 'index'>, path: string): Lead {
  return { ...firstPage(kind, path), guess: true };
}
