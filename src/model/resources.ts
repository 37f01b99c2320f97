/** One identity a resource: what a URL of the two APIs names, however it is written, and the one URL to ask for it. */
import { isObjectId, looksLikeRecordId } from './ids.ts';

/** Parts of the catalog's own index (docs/upstream-api.md, “Catalog index”): the index, its lists of narrators, facets and a facet's terms, and the lists of what belongs to a narrator or a term. */
export const INDEX_KINDS = ['index', 'narrators', 'interviews', 'facets', 'terms', 'holdings'] as const;
export type IndexKind = (typeof INDEX_KINDS)[number];
export const RESOURCE_KINDS = ['authors', 'author', 'article', 'source', 'object', 'children', 'files', ...INDEX_KINDS] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];
export const LIST_KINDS = ['authors', 'children', 'files', 'narrators', 'interviews', 'facets', 'terms', 'holdings'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** Whether the guide's host is asked for a kind; the catalog's host is asked for all others. */
export function isOfGuide(kind: ResourceKind): boolean {
  return kind === 'authors' || kind === 'author' || kind === 'article' || kind === 'source';
}

/** `name` is an author's or article's name, a source's or an object's id; empty for the authors list and the index; for the index's lists their path below `/api/0.2/`. */
export interface Resource {
  kind: ResourceKind;
  name: string;
  /** Pages of lists only. */
  page?: { limit: number; offset: number };
  /** Nobody named it; it is asked for because it may well be there, and its absence is no failure. */
  guess?: true;
}

/** The kinds that are parts of the archive; the others are lists of them. */
export const RECORD_KINDS = ['author', 'article', 'source', 'object'] as const satisfies readonly ResourceKind[];

/** The addresses that the user named: `<guide>` and `<catalog>` of docs/upstream-api.md, “Requests”, without a trailing slash. */
export interface Bases {
  authors: string;
  catalog: string;
}

/** The primary key of a resource in the snapshot, such as `object:demo-a-1` or `children:demo-a-1?limit=25&offset=50`. */
export function keyOf({ kind, name, page }: Resource): string {
  return `${kind}:${name}${page ? `?limit=${page.limit}&offset=${page.offset}` : ''}`;
}

/** What a key of keyOf names, whichever page of a list it is. */
export function resourceInKey(key: string): Pick<Resource, 'kind' | 'name'> {
  const colon = key.indexOf(':');
  return { kind: key.slice(0, colon) as ResourceKind, name: key.slice(colon + 1).replace(/\?limit=\d+&offset=\d+$/, '') };
}

const MAX_NAME = 500;

/** Why a resource is never asked for: its name is no id, or would not stay one part of an address. Undefined where it may be. */
export function refusalOf({ kind, name }: Resource): string | undefined {
  if (kind === 'authors' || kind === 'index') return undefined;
  if (isIndexList(kind)) return isIndexPath(name) ? undefined : 'its path cannot stand in an address';
  if (kind === 'object' || kind === 'children' || kind === 'files')
    return isObjectId(name) ? undefined : 'its id fits no shape of an object id';
  return name === '' || name === '.' || name === '..' || name.length > MAX_NAME
    ? 'its name cannot stand in an address'
    : undefined;
}

/** The URL to ask for (docs/upstream-api.md, “Requests”); names are percent-encoded, spaces as %20. */
export function urlOf(resource: Resource, bases: Bases): string {
  const { kind, name, page } = resource;
  const query = page ? `?limit=${page.limit}&offset=${page.offset}` : '';
  const encoded = encodeURIComponent(name.toWellFormed());
  switch (kind) {
    case 'authors':
      return `${bases.authors}/api/3.0/authors/${query}`;
    case 'author':
      return `${bases.authors}/api/3.0/authors/${encoded}/`;
    case 'article':
      return `${bases.authors}/api/3.0/articles/${encoded}/`;
    case 'source':
      return `${bases.authors}/api/3.0/sources/${encoded}/`;
    case 'object':
      return `${bases.catalog}/api/0.2/${encoded}/`;
    case 'children':
    case 'files':
      return `${bases.catalog}/api/0.2/${encoded}/${kind}/${query}`;
    case 'index':
      return `${bases.catalog}/api/0.2/`;
    default:
      return `${bases.catalog}/api/0.2/${name}/${query}`;
  }
}

/** The object that a link in a page or record leads to: its JSON or HTML address on the catalog's host, by any scheme, slash or query. */
export function objectIdInUrl(href: string, bases: Bases): string | undefined {
  const url = parse(href, bases.catalog);
  if (!url || url.host !== new URL(bases.catalog).host) return undefined;
  const parts = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decode);
  const last = parts.at(-1);
  if (parts.at(-3) === 'api' || parts.at(-2) === '0.2') return isObjectId(last) ? last : undefined;
  return last !== undefined && looksLikeRecordId(last) ? last : undefined;
}

/** The path of a list of the index below `/api/0.2/`, such as `narrator/12/interviews`, each part percent-encoded; undefined for an address outside of the catalog's API. */
export function indexPathInUrl(href: string, bases: Bases): string | undefined {
  const url = parse(href, `${bases.catalog}/api/0.2/`);
  const base = new URL(`${bases.catalog}/api/0.2/`);
  if (!url || url.host !== base.host || !url.pathname.startsWith(base.pathname)) return undefined;
  const path = indexPath(
    url.pathname
      .slice(base.pathname.length)
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
  );
  return isIndexPath(path) ? path : undefined;
}

/** The path of a list of the index from its parts as they read. */
export function indexPath(parts: readonly string[]): string {
  return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}

function isIndexPath(path: string): boolean {
  return path.length <= MAX_NAME && path.split('/').every((part) => part !== '' && !/^(?:\.|%2e){1,2}$/i.test(part));
}

function isIndexList(kind: ResourceKind): boolean {
  return INDEX_KINDS.some((one) => one === kind && one !== 'index');
}

/** The name that ends a JSON address such as `…/api/3.0/articles/Fish%20market/`; undefined where it is no such address. */
export function nameInUrl(href: string | undefined): string | undefined {
  const url = href === undefined ? undefined : parse(href, 'http://relative.invalid');
  const name = url && /\/api\/3\.0\/(?:authors|articles|sources)\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  return name === undefined || name === '' ? undefined : decode(name);
}

/** `{base_url}` out of what a person types: without a trailing slash, query, or the API's own path. Undefined when it is no http(s) URL. */
export function readBaseUrl(typed: string): string | undefined {
  if (!URL.canParse(typed)) return undefined;
  const url = new URL(typed);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return `${url.origin}${url.pathname.replace(/\/api\/(?:3\.0|0\.2)(?:\/.*)?$/, '')}`.replace(/\/+$/, '');
}

/** Undoes percent-encoding where it is whole, and leaves other text alone. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // not percent-encoding: the text itself is the name
  }
}

function parse(href: string, base: string): URL | undefined {
  return URL.canParse(href, base) ? new URL(href, base) : undefined;
}
