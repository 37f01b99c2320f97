/** Puts the files of a site into a ZIM file. */
import { createHash, type Hash, hash } from 'node:crypto';
import { lookup } from 'mime-types';
import { HOME_PATH } from '../../catalogue/urls.ts';
import { UserError } from '../../model/errors.ts';
import type { SiteContext } from '../export-context.ts';
import { isCompressible, isHomePage, isPackagedFile, type PackagedPage, toPackagedPage } from '../packaged-pages.ts';
import type { SiteFile, SiteFiles } from '../site-files.ts';
import type { ClusterBuilder } from './clusters.ts';
import type { BlobAddress } from './format.ts';
import type { ZimEntry } from './write-zim.ts';

/** What is called while content is added. */
interface ContentOptions extends Pick<SiteContext, 'onProgress'> {
  /** Gets each page. */
  onPage: ((path: string, page: PackagedPage) => void) | undefined;
}

const STYLE_PATH = 'assets/site.css';
/** `name/2.html` continues `name.html`. Readers do not suggest it. */
const CONTINUATION = /\/\d+\.html$/;
/** In the main language. */
const RECORD_PAGE = /^objects\/([^/]+)\.html$/;
const MAX_TITLE_LENGTH = 250;
const DEFAULT_TYPE = 'application/octet-stream';

/**
 * Adds the files of a site.
 * @throws {UserError} if a file is missing or not as the manifest says. Media are checked when they are written.
 */
export async function addContent(site: SiteFiles, builder: ClusterBuilder, { onPage, onProgress }: ContentOptions) {
  const files = site.files.filter(({ path }) => isPackagedFile(path));
  const entries: ZimEntry[] = [];
  const counter = new Map<string, number>();
  const homes: PackagedPage[] = [];
  const sha256 = createHash('sha256');
  const stored = new Map<string, BlobAddress>();
  const paths = new Set(files.map(({ path }) => path));
  let done = 0;
  const countDone = () => onProgress?.(++done, files.length);
  for (const file of files) {
    const { path } = file;
    const mediaType = lookup(path) || DEFAULT_TYPE;
    counter.set(mediaType, (counter.get(mediaType) ?? 0) + 1);
    let page: PackagedPage | undefined;
    let address: BlobAddress;
    if (isCompressible(file)) {
      const { bytes, ...read } = readText(site, file);
      page = read.page;
      if (page) onPage?.(path, page);
      if (page && isHomePage(path)) homes[path === HOME_PATH ? 'unshift' : 'push'](page);
      update(sha256, path, page?.title ?? '', hash('sha256', bytes));
      address = await builder.addText(bytes);
      countDone();
    } else {
      address = stored.get(file.sha256) ?? addFile(site, file, builder, countDone);
      if (stored.has(file.sha256)) countDone();
      stored.set(file.sha256, address);
      update(sha256, path, '', file.sha256);
    }
    const title = page?.title.slice(0, MAX_TITLE_LENGTH).toWellFormed() ?? '';
    const isContinuation = CONTINUATION.test(path) && paths.has(path.replace(CONTINUATION, '.html'));
    const isPage = page !== undefined && !isContinuation;
    entries.push({ namespace: 'C', path, title, target: { ...address, mediaType }, isPage });
  }
  const [home] = homes;
  if (!home) throw new UserError(`The site has no ${HOME_PATH}. Run "microfiche build" again, then export.`);
  const languages = homes.map(({ language }) => language);
  return {
    /** Files and redirects. */
    entries: [...entries, ...redirectIds(entries)],
    home,
    /** Languages of the home pages as BCP 47 tags, that of the main one first. */
    languages,
    files: files.length,
    /** Number of entries by media type. */
    counter,
    /** SHA-256 of all paths, titles and content. */
    sha256: sha256.digest(),
  };
}

function readText(site: SiteFiles, file: SiteFile): { bytes: Buffer; page?: PackagedPage } {
  const bytes = site.readFile(file);
  if (file.path.endsWith('.html')) {
    const page = toPackagedPage(bytes.toString('utf8'), 'zim');
    return { bytes: Buffer.from(page.html), page };
  }
  return { bytes: file.path === STYLE_PATH ? Buffer.concat([bytes, Buffer.from(BAR_STYLE)]) : bytes };
}

/** The style of the bar that kiwix-serve 3.3 adds to pages. */
const BAR_STYLE = '\n.kiwix button, .kiwix input { min-height: 0; padding: 0.1em 0.4em; color: #222; }\n';

function addFile(site: SiteFiles, file: SiteFile, builder: ClusterBuilder, onRead: () => void): BlobAddress {
  return builder.addStored({
    size: file.size,
    async *read() {
      yield* site.streamFile(file);
      onRead();
    },
  });
}

/** Adds the IDs of records as redirects to their pages, so that readers who type an ID get the record. */
function redirectIds(entries: readonly ZimEntry[]): ZimEntry[] {
  return entries.flatMap(({ path }) => {
    const [, id] = RECORD_PAGE.exec(path) ?? [];
    return id === undefined ? [] : [{ namespace: 'C', path: `id/${id}`, title: id, target: { redirect: path }, isPage: true }];
  });
}

function update(sha256: Hash, ...parts: string[]): void {
  sha256.update(`${JSON.stringify(parts)}\n`);
}
