/** Exports a built site as a WACZ, which ReplayWeb.page and other programs for web archives open. */
import { hash } from 'node:crypto';
import { lookup } from 'mime-types';
import { HOME_PATH } from '../../catalogue/urls.ts';
import { UserError } from '../../model/errors.ts';
import { slugOf } from '../../model/text/slug.ts';
import { readArchive, readSiteIdentity } from '../../publish/site-identity.ts';
import { type PackageReport, type SiteContext, SOFTWARE, WACZ_SITE } from '../export-context.ts';
import type { PackageWriter } from '../package/package-writer.ts';
import { isCompressible, isHomePage, isPackagedFile, isTextFile, type PackagedPage, toPackagedPage } from '../packaged-pages.ts';
import { textOfPage } from '../page-text.ts';
import { openSiteOfPages, type SiteFile, type SiteFiles } from '../site-files.ts';
import { waczSiteReadme } from './readme.ts';
import { createWacz, type IndexedRecord, UNKNOWN_TIME, type WaczPage, warcInfo } from './wacz-container.ts';

/** Pages of a site. The IDs of pages have as many digits. */
const MAX_PAGES = 99_999_999;
const SITE_WARC = 'archive/site.warc.gz';
/** Is requested with a query. */
const SEARCH_PAGE = /(?:^|\/)search\.html$/;
/**
 * The query with which it has one more record. For another query, ReplayWeb.page takes the record with the most similar one, but
 * none without.
 */
const QUERY = '?q=';
const DESCRIPTION = 'Files of a site that Microfiche made. They were not requested over HTTP, so they are resource records.';

/** What the records and pages have in common. */
interface Sources {
  site: SiteFiles;
  /** Ends with a slash. */
  baseUrl: string;
  /** ISO 8601. */
  date: string;
  title: string;
  wacz: Awaited<ReturnType<typeof createWacz>>;
  onProgress: SiteContext['onProgress'];
}

/**
 * Writes the WACZ. It needs no snapshot, and reads only what the manifest of the site lists.
 * @throws {UserError} if the directory does not contain a complete site, or contains a compact build.
 */
export async function writeWaczSite(options: SiteContext, writer: PackageWriter): Promise<PackageReport> {
  const { dir, siteUrl, keyFile, onProgress } = options;
  const site = openSiteOfPages(options);
  const home = site.files.find(({ path }) => path === HOME_PATH);
  if (!home) throw new UserError(`The site in ${dir} has no ${HOME_PATH}. Run "microfiche build" again, then export.`);
  const siteIdentity = readSiteIdentity(dir);
  const { harvestedOn } = siteIdentity ?? {};
  const { siteTitle, title: pageTitle, description } = readPage(site, home).page;
  const title = siteTitle || pageTitle || SOFTWARE;
  const baseUrl = siteUrl === undefined ? madeUpUrl(title) : `${siteUrl.replace(/\/+$/, '')}/`;
  const date = harvestedOn === undefined ? UNKNOWN_TIME : `${harvestedOn}T00:00:00Z`;
  const identity = { format: WACZ_SITE, fingerprint: site.fingerprint, archive: readArchive(siteIdentity) };
  using wacz = await createWacz(writer, identity, waczSiteReadme(title));
  const context: Sources = { site, baseUrl, date, title, wacz, onProgress };
  const homes = site.files.filter(({ path }) => isHomePage(path) && path !== HOME_PATH);
  const pages = [home, ...homes].map((file, i) => describePage(context, file, readPage(site, file).page, i));
  for (const page of pages) wacz.addPage(page);
  await wacz.addWarc(SITE_WARC, siteRecords(context, pages.length), site.refuseChanged);
  const [mainPage] = pages;
  const written = await wacz.finish({ title, description: description || title, created: date, mainPage }, keyFile);
  return { ...written, fingerprint: site.fingerprint, notes: [] };
}

/** Returns a URL for a site that is not hosted anywhere, in the domain that is reserved for such URLs (RFC 2606). */
function madeUpUrl(title: string): string {
  const name = slugOf(title);
  return `https://${/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name) ? name : 'archive'}.invalid/`;
}

function readPage(site: SiteFiles, file: SiteFile): { bytes: Buffer; page: PackagedPage } {
  const page = toPackagedPage(site.readFile(file).toString('utf8'), 'wacz');
  return { bytes: Buffer.from(page.html), page };
}

/** ReplayWeb.page lists pages of the same date in reverse order of their IDs: a later `position` gets a lower one. */
function describePage({ baseUrl, date }: Sources, { path }: SiteFile, { html, title }: PackagedPage, position: number): WaczPage {
  const id = String(MAX_PAGES - position);
  const url = path === HOME_PATH ? baseUrl : urlOf(baseUrl, path);
  return { id, url, ts: date, title: title || path, text: textOfPage(html) };
}

function urlOf(baseUrl: string, path: string): string {
  return `${baseUrl}${encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent)}`;
}

/** Returns the URLs of the records of a file. The home page has that of the site, too. */
function urlsOf(baseUrl: string, path: string): string[] {
  const url = urlOf(baseUrl, path);
  return [...(path === HOME_PATH ? [baseUrl] : []), url, ...(SEARCH_PAGE.test(path) ? [`${url}${QUERY}`] : [])];
}

/** Yields the records of each file. Adds the pages to the list of pages. */
async function* siteRecords(context: Sources, firstPosition: number): AsyncGenerator<IndexedRecord> {
  const { site, baseUrl, date, title, wacz, onProgress } = context;
  yield warcInfo(SITE_WARC, date, title, DESCRIPTION);
  const files = site.files.filter(({ path }) => isPackagedFile(path));
  let position = firstPosition;
  for (const [i, file] of files.entries()) {
    onProgress?.(i, files.length);
    const { path } = file;
    let text: Buffer | undefined;
    if (isCompressible(file)) {
      if (path.endsWith('.html')) {
        const { bytes, page } = readPage(site, file);
        if (!isHomePage(path)) wacz.addPage(describePage(context, file, page, position++));
        text = bytes;
      } else text = site.readFile(file);
    }
    for (const url of urlsOf(baseUrl, path)) yield fileRecord(context, url, file, text);
  }
}

/** Returns the record of a file. A file without `text` is read when it is written. */
function fileRecord({ site, date }: Sources, url: string, file: SiteFile, text: Buffer | undefined): IndexedRecord {
  const { path, size, sha256 } = file;
  const mime = lookup(path) || 'application/octet-stream';
  const contentType = isTextFile(path) && mime.startsWith('text/') ? `${mime};charset=utf-8` : mime;
  const block = text ?? { size, sha256, file: site.resolve(file) };
  const digest = text === undefined ? sha256 : hash('sha256', text);
  return {
    record: { type: 'resource', seed: `site ${url}`, date, uri: url, contentType, block },
    entry: { mime, status: 200, sha256: digest },
  };
}
