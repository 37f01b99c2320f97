/** Further ways into the archive, by the catalog's own index: its repository, its narrators and its facets (docs/upstream-api.md, “Catalog index”). None of it is in the contract: it is used where it answers. */
import { isObjectId } from '../model/ids.ts';
import { entryName, type ListPage, readListPage } from '../model/lists.ts';
import { readRecord } from '../model/records.ts';
import { type Bases, type IndexKind, indexPath, indexPathInUrl, objectIdInUrl, type Resource } from '../model/resources.ts';
import { isObject, text } from '../model/values.ts';
import type { Lead } from '../snapshot/write.ts';
import { firstPage } from './lists.ts';

/** The index itself. */
export const INDEX: Resource = { kind: 'index', name: '', guess: true };

/** What the index leads to. `refused` are its addresses outside of the catalog's API. */
export interface IndexReading {
  /** By the way in that the index names: `repository`, `narrators`, `facets`. */
  ways: Array<{ way: string; leads: Lead[] }>;
  refused: string[];
}

/** Facets of which the service is known to list the terms, whether or not its list of facets answers. */
const KNOWN_FACETS = ['topics', 'facility'];

/** Reads the index; undefined where it is none. Some services answer with the record of the repository itself. */
export function readIndex(payload: unknown, bases: Bases): IndexReading | undefined {
  const record = readRecord(payload);
  if (record) return { ways: [{ way: 'repository', leads: [{ kind: 'object', name: record.id }] }], refused: [] };
  if (!isObject(payload)) return undefined;
  const ways: IndexReading['ways'] = [];
  const refused: string[] = [];
  for (const way of ['repository', 'narrators', 'facets'] as const) {
    const address = text(payload[way]);
    if (address === undefined) continue;
    const leads = way === 'repository' ? objectAt(address, bases) : listAt(way, address, bases);
    if (leads) ways.push({ way, leads });
    else refused.push(address);
  }
  return ways.length > 0 || refused.length > 0 ? { ways, refused } : undefined;
}

function objectAt(address: string, bases: Bases): Lead[] | undefined {
  const id = isObjectId(address) ? address : objectIdInUrl(address, bases);
  return id === undefined ? undefined : [{ kind: 'object', name: id }];
}

function listAt(way: 'narrators' | 'facets', address: string, bases: Bases): Lead[] | undefined {
  const path = indexPathInUrl(address, bases);
  if (path === undefined) return undefined;
  const known = way === 'facets' ? KNOWN_FACETS.map((facet) => lead('terms', [path, `${facet}/children`].join('/'))) : [];
  return [lead(way, path), ...known];
}

/** Reads a list of the index. A list of facets may also be an object of addresses. */
export function followIndexList(
  kind: Exclude<IndexKind, 'index'>,
  path: string,
  payload: unknown,
  bases: Bases,
): { found: Lead[]; page?: ListPage } | undefined {
  const page = readListPage(payload);
  if (page) return { page, found: page.items.flatMap((item) => leadsOf(kind, path, item, bases)) };
  if (kind !== 'facets' || !isObject(payload)) return undefined;
  const facets = Object.keys(payload).filter((name) => typeof payload[name] === 'string');
  return { found: facets.map((id) => lead('terms', below(path, id, 'children'))) };
}

/** What one entry of a list of the index leads to. Its own addresses count where they stay within the catalog's API. */
function leadsOf(kind: Exclude<IndexKind, 'index'>, path: string, item: Record<string, unknown>, bases: Bases): Lead[] {
  const id = entryName(item);
  switch (kind) {
    case 'narrators':
      return id === undefined ? [] : [lead('interviews', linked(item, /\/interviews$/, bases) ?? below(path, id, 'interviews'))];
    case 'facets':
      return id === undefined ? [] : [lead('terms', linked(item, /\/children$/, bases) ?? below(path, id, 'children'))];
    case 'terms':
      return id === undefined
        ? []
        : [lead('holdings', linked(item, /\/objects$/, bases) ?? below(path.replace(/\/children$/, ''), id, 'objects'))];
    default: {
      const json = isObject(item['links']) ? text(item['links']['json']) : undefined;
      const object = isObjectId(id) ? id : json === undefined ? undefined : objectIdInUrl(json, bases);
      return object === undefined ? [] : [{ kind: 'object', name: object, line: item }];
    }
  }
}

/** The first of an entry's links whose path ends like this. */
function linked(item: Record<string, unknown>, end: RegExp, bases: Bases): string | undefined {
  const links = Object.values(isObject(item['links']) ? item['links'] : {});
  return links
    .flatMap((href) => (typeof href === 'string' ? (indexPathInUrl(href, bases) ?? []) : []))
    .find((path) => end.test(path));
}

function below(path: string, id: string, list: string): string {
  return `${path}/${indexPath([id, list])}`;
}

/** Nobody promises any of these lists: their absence is no failure. */
function lead(kind: Exclude<IndexKind, 'index'>, path: string): Lead {
  return { ...firstPage(kind, path), guess: true };
}
