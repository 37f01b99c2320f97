/** Exports both APIs as files for any web server, so that a mirror on any host can be mirrored again. */
import { createApi } from '../../api/app.ts';
import { type CatalogIndex, listIndexPaths, readIndex } from '../../api/index-routes.ts';
import { UsageError } from '../../model/errors.ts';
import { type BaseUrls, type Resource, urlOf } from '../../model/resources.ts';
import { decodePercentStrictly } from '../../model/text/percent.ts';
import { VERSION } from '../../model/version.ts';
import { pathTraversalProblem, toSafeDirectory } from '../../platform/safe-directory.ts';
import { computeFingerprint } from '../../snapshot/fingerprint.ts';
import { readBaseUrls, readResourceNames } from '../../snapshot/read.ts';
import type { StoredMedia } from '../../snapshot/row-types.ts';
import type { ExportContext, PackageReport } from '../export-context.ts';
import { formatIdentity, IDENTITY_FILE } from '../identity.ts';
import { addFileList, FILE_LIST } from '../own-files.ts';
import type { PackagedFile } from '../package/manifest.ts';
import type { Content } from '../package/package-content.ts';
import type { PackageWriter } from '../package/package-writer.ts';
import { checkMediaFile, readPortableMedia } from '../portable-media.ts';
import { describeScope, type ExportScope, isWhole, wrap } from '../scope.ts';

/** No host has this name (RFC 6761). Requests with it stay inside this program. */
const INTERNAL_ORIGIN = 'http://api.invalid';
/** The name of the file that a web server sends for a path with a slash at its end. It contains JSON. */
const INDEX_FILE = 'index.html';
const README_FILE = 'README.txt';

/** Files that wait to be written: the next ones are made in the meantime. */
const MAX_WAITING = 200;

const RECORD_ADDRESS = /^\/api\/0\.2\/[^/]+\/$/;

/**
 * Writes the files. Each address of the APIs is a directory with an index file; each list is one page.
 * @throws {UsageError} without the URL at which they will be hosted.
 */
export async function writeStaticApi(
  { publicStore: store, scope, siteUrl, onProgress }: ExportContext,
  writer: PackageWriter,
  root: string,
): Promise<PackageReport> {
  if (siteUrl === undefined) throw new UsageError('The static API needs the URL where it will be hosted. Name it with --site.');
  const baseUrls = readBaseUrls(store);
  const publicUrl = siteUrl.replace(/\/+$/, '');
  const index = readIndex(store, baseUrls);
  const api = createApi(store, { publicUrl, hasWholeLists: true, index });
  const fingerprint = computeFingerprint(store, { includesMedia: () => false });
  const notes: string[] = [];
  const files: PackagedFile[] = [];
  const add = async (path: string, content: Content) => {
    const digest = await writer.add(`${root}${path}`, content);
    files.push({ path, digest });
    return digest;
  };
  const waiting: Promise<void>[] = [];
  /** Adds a file without waiting for it, unless many others wait to be written. */
  const addNext = async (path: string, content: Content, row?: StoredMedia) => {
    const adding = add(path, content).then((digest) => row && checkMediaFile(row, digest));
    adding.catch(() => undefined); // awaited below
    if (waiting.push(adding) >= MAX_WAITING) await waiting.shift();
  };
  await add(IDENTITY_FILE, Buffer.from(formatIdentity({ format: 'api', fingerprint })));
  await add(README_FILE, Buffer.from(staticApiReadme(publicUrl, scope)));

  const addresses = listAddresses(store, baseUrls, index);
  const written = new Set<string>([IDENTITY_FILE, README_FILE, FILE_LIST]);
  let absent: string | undefined;
  for (const [i, address] of addresses.entries()) {
    onProgress?.(i, addresses.length);
    // Lists without their record: a web server would send the HTML of a directory in its place.
    if (absent !== undefined && address.startsWith(absent)) continue;
    const path = filePath(address);
    if (path === undefined || written.has(path)) {
      notes.push(`Left out, because file systems cannot store it: ${address}`);
      continue;
    }
    const response = await api.fetch(new Request(`${INTERNAL_ORIGIN}${address}`));
    if (response.status !== 200) {
      if (RECORD_ADDRESS.test(address)) absent = address;
      continue;
    }
    written.add(path);
    await addNext(path, new Uint8Array(await response.arrayBuffer()));
  }
  for (const { path, file, row } of ownMedia(store, baseUrls)) {
    if (written.has(path)) continue;
    written.add(path);
    await addNext(path, { file }, row);
  }
  await Promise.all(waiting);
  return { ...(await addFileList(writer, root, files)), fingerprint, notes };
}

/** Returns the path of every address of both APIs, with a slash at its end. */
function listAddresses(store: ExportContext['publicStore'], baseUrls: BaseUrls, index: CatalogIndex): string[] {
  const pathOf = (resource: Resource) => new URL(urlOf(resource, baseUrls)).pathname;
  const basePath = (url: string) => new URL(url).pathname.replace(/\/$/, '');
  const below = (resource: Resource, base: string) => pathOf(resource).slice(basePath(base).length);
  return [
    '/api/3.0/authors/',
    ...(['author', 'article', 'source'] as const).flatMap((kind) =>
      readResourceNames(store, kind).map((name) => below({ kind, name }, baseUrls.authors)),
    ),
    '/api/0.2/',
    ...listIndexPaths(store, index).map((path) => `/api/0.2/${path}/`),
    ...readResourceNames(store, 'object').flatMap((name) => {
      const own = below({ kind: 'object', name }, baseUrls.catalog);
      return [own, `${own}children/`, `${own}files/`];
    }),
  ];
}

/** Returns the path of the file for an address, where web servers look for it; undefined if no file system may store it. */
function filePath(address: string): string | undefined {
  const decoded = decodePercentStrictly(address);
  if (decoded === undefined) return undefined;
  const path = `${decoded.replace(/^\//, '')}${INDEX_FILE}`;
  return pathTraversalProblem(path) === undefined ? path : undefined;
}

/** Yields the media files whose URLs are below a base URL: links in records point to this copy. */
function* ownMedia(
  store: ExportContext['publicStore'],
  { authors, catalog }: BaseUrls,
): Generator<{ path: string; file: string; row: StoredMedia }> {
  const safeDir = toSafeDirectory(store.dir);
  for (const row of readPortableMedia(store)) {
    const { url, state, source } = row;
    const base = [catalog, authors].find((one) => url.startsWith(`${one}/`));
    if (state !== 'stored' || source === null || base === undefined) continue;
    const own = filePath(`${url.slice(base.length).replace(/[?#].*$/s, '')}`)?.replace(new RegExp(`${INDEX_FILE}$`), '');
    if (own !== undefined && !own.endsWith('/') && own !== '') yield { path: own, file: safeDir.resolve(source), row };
  }
}

function staticApiReadme(url: string, scope: ExportScope): string {
  return `Static copy of an archive's API

${wrap(
  `These files are ${isWhole(scope) ? 'the' : 'a part of the'} published responses of the archive's two APIs, for any web server: each address is a directory whose index.html contains JSON. ${describeScope(scope)}`,
)}

Host them at ${url}. Nothing else is needed.
manifest-sha256.txt has the checksums of all files.

To mirror the archive from there, run in the directory of Microfiche ${VERSION}:

  node scripts/bin.mjs harvest --authors-url ${url} --catalog-url ${url} --snapshot snapshot
`;
}
