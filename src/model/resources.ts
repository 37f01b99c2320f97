/** Identifies resources: the key of each resource, the URL to fetch it from, and the resource for any URL. */
import { isObjectId, itemOfFileRole, looksLikeRecordId } from './ids.ts';
import { decodePercent } from './text/percent.ts';

/**
 * Resource kinds of the catalog index (docs/upstream-api.md, “Catalog index”): the index, its lists of narrators, facets and
 * terms, and the lists of records of a narrator or term.
 */
export const INDEX_KINDS = ['index', 'narrators', 'interviews', 'facets', 'terms', 'holdings'] as const;
/** One of `INDEX_KINDS`. */
export type IndexKind = (typeof INDEX_KINDS)[number];
/** All resource kinds. */
export const RESOURCE_KINDS = [
  'authors',
  'author',
  'article',
  'source',
  'object',
  'children',
  'files',
  ...INDEX_KINDS,
  'narrator',
] as const;
/** One of `RESOURCE_KINDS`. */
export type ResourceKind = (typeof RESOURCE_KINDS)[number];
/** The kinds that are lists. */
export const LIST_KINDS = ['authors', 'children', 'files', 'narrators', 'interviews', 'facets', 'terms', 'holdings'] as const;
/** One of `LIST_KINDS`. */
export type ListKind = (typeof LIST_KINDS)[number];

/** Returns whether something is one of `LIST_KINDS`. */
export const isListKind = (kind: unknown): kind is ListKind => LIST_KINDS.some((list) => list === kind);

/** Returns whether a kind belongs to the guide API. All others belong to the records API. */
export function isGuideKind(kind: ResourceKind): boolean {
  return kind === 'authors' || kind === 'author' || kind === 'article' || kind === 'source';
}

/**
 * One thing with a URL of its own. `name` is the name of an author or guide page, or the ID of a source or record. It is empty
 * for the list of authors and the index; for narrators and lists of the index, it is the path below `/api/0.2/`.
 */
export interface Resource {
  kind: ResourceKind;
  name: string;
  /** Set for pages of lists only. */
  page?: { limit: number; offset: number };
  /** Set for a speculative request: no response names the resource, so its absence is not a failure. */
  speculative?: true;
}

/** The kinds that are content of the archive. The others are lists of them. */
export const RECORD_KINDS = ['author', 'article', 'source', 'object'] as const satisfies readonly ResourceKind[];

/** Base URLs, without trailing slash: `<guide>` and `<catalog>` of docs/upstream-api.md, “Requests”. */
export type BaseUrls = Record<'authors' | 'catalog', string>;

/** Returns the resource key, such as `object:demo-a-1` or `children:demo-a-1?limit=25&offset=50`. */
export function keyOf({ kind, name, page }: Resource): string {
  return `${kind}:${name}${page ? `?limit=${page.limit}&offset=${page.offset}` : ''}`;
}

/** Parses a resource key. A page of a list gives the list. */
export function parseResourceKey(key: string): Pick<Resource, 'kind' | 'name'> {
  const colon = key.indexOf(':');
  return { kind: key.slice(0, colon) as ResourceKind, name: key.slice(colon + 1).replace(/\?limit=\d+&offset=\d+$/, '') };
}

const MAX_NAME_LENGTH = 500;

/** Returns why a resource cannot be fetched: its name is not an ID, or cannot be one part of a URL. Undefined if it can. */
export function resourceProblem({ kind, name }: Resource): string | undefined {
  if (kind === 'authors' || kind === 'index') return undefined;
  if (kind === 'narrator' || INDEX_KINDS.some((indexKind) => indexKind === kind))
    return isIndexPath(name) ? undefined : 'its path cannot be part of a URL';
  if (kind === 'object' || kind === 'children' || kind === 'files')
    return isObjectId(name) ? undefined : 'its ID does not have the form of an object ID';
  return name === '' || name === '.' || name === '..' || name.length > MAX_NAME_LENGTH
    ? 'its name cannot be part of a URL'
    : undefined;
}

/** Returns the URL of a resource (docs/upstream-api.md, “Requests”). Names are percent-encoded, with %20 for a space. */
export function urlOf(resource: Resource, baseUrls: BaseUrls): string {
  const { kind, name, page } = resource;
  const query = page ? `?limit=${page.limit}&offset=${page.offset}` : '';
  const encoded = encodeURIComponent(name.toWellFormed());
  switch (kind) {
    case 'authors':
      return `${baseUrls.authors}/api/3.0/authors/${query}`;
    case 'author':
    case 'article':
    case 'source':
      return `${baseUrls.authors}/api/3.0/${kind}s/${encoded}/`;
    case 'object':
      return `${baseUrls.catalog}/api/0.2/${encoded}/`;
    case 'children':
    case 'files':
      return `${baseUrls.catalog}/api/0.2/${encoded}/${kind}/${query}`;
    case 'index':
      return `${baseUrls.catalog}/api/0.2/`;
    default:
      return `${baseUrls.catalog}/api/0.2/${name}/${query}`;
  }
}

/**
 * Returns the ID of the record that a link refers to, by the URL of its JSON or HTML on the catalog's host; undefined for other
 * links. Another page of the host may have a URL of that form too: only a repository's ID begins a record's.
 */
export function objectIdInUrl(href: string, baseUrls: BaseUrls): string | undefined {
  const parts = partsOnCatalog(href, baseUrls);
  const last = parts.at(-1);
  if (parts.at(-3) === 'api' || parts.at(-2) === '0.2') return isObjectId(last) ? last : undefined;
  return idsOf(parts).find((id) => looksLikeRecordId(id) || COLLECTION_ID_PATTERN.test(id));
}

const COLLECTION_ID_PATTERN = /^[a-z]\w*-[a-z0-9]+-\d+$/;

/** Parts of a URL after the ID of a record that name one of its lists. */
const LIST_PARTS: ReadonlySet<string> = new Set(['children', 'objects', 'files']);

/**
 * Returns what may be the ID of the record that a link on the catalog's host refers to, the most likely first: also of
 * collections and organizations, whose IDs other words may resemble. Only those that exist are IDs.
 */
export const possibleIdsInUrl = (href: string, baseUrls: BaseUrls): string[] => idsOf(partsOnCatalog(href, baseUrls));

/** Returns the parts of a path on the catalog's host, without that of the base URL and of a list; none on another host. */
function partsOnCatalog(href: string, { catalog }: BaseUrls): string[] {
  const url = parseUrl(href, catalog);
  const base = new URL(catalog);
  if (!url || !isSameHost(url, base)) return [];
  const isBelow = url.pathname.startsWith(`${base.pathname}/`);
  const parts = partsOf(url.pathname.slice(isBelow ? base.pathname.length : 0));
  while (LIST_PARTS.has(parts.at(-1) ?? '')) parts.pop();
  return parts;
}

/** Returns the decoded parts of a path. */
function partsOf(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decodePercent);
}

/** Returns the IDs that parts of a path may mean. Old URLs have the parts of an ID between slashes, and some have capitals. */
function idsOf(parts: readonly string[]): string[] {
  const ids = [parts.at(-1) ?? '', parts.join('-')];
  return [...new Set(ids.flatMap((id) => [id, id.toLowerCase()]))].filter(isObjectId).map(itemOfFileRole);
}

/** Returns whether two URLs name the same host, regardless of `www.`, and of the default ports of http and https. */
export const isSameHost = (a: URL, b: URL): boolean => hostKey(a) === hostKey(b);

/** Returns a URL's host and port, without `www.` and without a default port. */
export function hostKey({ hostname, port }: URL): string {
  const isDefault = port === '' || port === '80' || port === '443';
  return `${hostname.replace(/^www\./, '')}${isDefault ? '' : `:${port}`}`;
}

/**
 * Returns the path of a list of the catalog index below `/api/0.2/`, such as `narrator/12/interviews`, with each part
 * percent-encoded. Undefined for a URL outside the records API.
 */
export function indexPathInUrl(href: string, baseUrls: BaseUrls): string | undefined {
  const url = parseUrl(href, `${baseUrls.catalog}/api/0.2/`);
  const base = new URL(`${baseUrls.catalog}/api/0.2/`);
  if (!url || url.host !== base.host || !url.pathname.startsWith(base.pathname)) return undefined;
  const path = indexPath(partsOf(url.pathname.slice(base.pathname.length)));
  return isIndexPath(path) ? path : undefined;
}

/** Returns the path of a list of the index from its decoded parts. */
export function indexPath(parts: readonly string[]): string {
  return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}

/** Returns the name of the resource of a narrator, by the number. */
export const narratorPath = (id: string): string => indexPath(['narrator', id]);

function isIndexPath(path: string): boolean {
  return path.length <= MAX_NAME_LENGTH && path.split('/').every((part) => part !== '' && !/^(?:\.|%2e){1,2}$/i.test(part));
}

/** Returns the name at the end of a JSON URL such as `…/api/3.0/articles/Fish%20market/`; undefined for other URLs. */
export function nameInUrl(href: string | undefined): string | undefined {
  const url = href === undefined ? undefined : parseUrl(href, 'http://relative.invalid');
  const name = url && /\/api\/3\.0\/(?:authors|articles|sources)\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  return name === undefined || name === '' ? undefined : decodePercent(name);
}

/** Parses an operator's base URL, without trailing slash, query and API path. Undefined if it is not an http(s) URL. */
export function parseBaseUrl(typed: string): string | undefined {
  if (!URL.canParse(typed)) return undefined;
  const url = new URL(typed);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return `${url.origin}${url.pathname.replace(/\/api\/(?:3\.0|0\.2)(?:\/.*)?$/, '')}`.replace(/\/+$/, '');
}

const parseUrl = (href: string, base: string): URL | undefined => (URL.canParse(href, base) ? new URL(href, base) : undefined);
