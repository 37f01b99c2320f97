/** Opens the site of a running dev server: a snapshot, and own pages, which change. */
import { existsSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { createVisibleStore } from '../../catalogue/read/visible-store.ts';
import { cacheRootDirectory } from '../../derivatives/cache-directories.ts';
import { protectSnapshot } from '../../publish/withheld-before.ts';
import type { ReadComponents } from '../../settings/read-components.ts';
import { type ReadOwnContent, throwOwnProblems } from '../../settings/read-own-content.ts';
import type { ContentReader } from '../../site/content.ts';
import { NO_CONTENT, openOwn } from '../../site/own/own-content.ts';
import { planPages } from '../../site/plan.ts';
import { openSnapshot } from '../../snapshot/store.ts';
import { writeAssets } from '../astro/assets.ts';
import { completeDesign, writeSettingFiles } from '../astro/design-files.ts';
import { openSiteCache } from '../cache/build-caches.ts';
import type { OpenSite } from '../pages/site-source.ts';
import type { BuildOptions } from '../steps/build-options.ts';
import { findEmbedMistakes, findLinkMistakes } from '../steps/check-own-content.ts';
import { prepareSite } from '../steps/prepare.ts';

type SharedOptions = 'snapshot' | 'withholding' | 'withholdLess' | 'collections' | 'languages' | 'archiveLanguage' | 'featured';
/** Options of the dev server: of those of a build, the ones that it needs. */
export interface DevOptions extends Pick<BuildOptions, SharedOptions | 'words' | 'design' | 'notices'> {
  components: ReadComponents | undefined;
  /** Directory of the own pages, which may not exist. */
  contentDirectory: string;
  readOwn(): Promise<ReadOwnContent | undefined>;
}

/**
 * Reads the snapshot and creates its derivatives, as a build does.
 * @throws {UserError} if it withholds less than before
 */
export async function openDevSite(snapshot: string, settings: Omit<DevOptions, 'snapshot'>, log: (line: string) => void) {
  using opening = new DisposableStack();
  const opened = opening.use(openSnapshot(snapshot));
  for (const note of protectSnapshot(opened, settings.withholding, settings.withholdLess).remember()) log(note);
  const assets = opening.use(mkdtempDisposableSync(join(tmpdir(), 'microfiche-dev-'))).path;
  const store = createVisibleStore(opened, settings);
  const cache = openSiteCache(cacheRootDirectory(), resolve(snapshot), { clean: false });
  const design = await completeDesign(settings.design, false);
  const own = await settings.readOwn();
  const prepared = opening.use(
    await prepareSite(
      { store, snapshot, visible: settings },
      cache,
      {
        ...settings,
        design,
        own,
        components: undefined,
        site: undefined,
        kiosk: undefined,
        compact: false,
        imageFormat: 'webp',
        stripMetadata: 'none',
        search: false,
      },
      async (_, work) => work(),
    ),
  );
  const { sites, entries, content, problems, lacking } = prepared;
  const files = new Map([...prepared.files, ...writeSettingFiles(join(assets, 'design'), [design, settings.notices])]);
  await prepared.keep(); // so that the server starts faster the next time
  cache.finish({ compact: false });
  for (const { owner, cause } of problems) log(`${owner}: ${cause}`);
  for (const { tool } of lacking) log(`Not installed: ${tool}. Some files have placeholders instead.`);
  const { pages, ...ownPages } = openDevOwn(own, settings.readOwn, { sites, entries, content });
  const writeDevAssets = () => writeAssets(assets, { kiosk: false, compact: false, css: design?.design.css, icon: design?.icon });
  await writeDevAssets();
  const open = opening.move();
  return {
    handOver: {
      sites,
      entries,
      content,
      pages,
      hasFailed: () => false,
      isDevServer: true,
      addDefect: (page: string, cause: string) => log(`${page}: ${cause}`),
    },
    /** Returns the file on disk for a path in the site; undefined if no file is there. */
    fileAt: (path: string) => files.get(path) ?? ownPages.fileAt(path) ?? assetAt(assets, path),
    /** Reads the own pages again. */
    readOwn: ownPages.readAgain,
    /** Writes the browser's scripts and styles again. */
    writeAssets: writeDevAssets,
    close: () => open.dispose(),
  };
}

/** Returns the file of a script or style sheet. The service worker is not served, because it would store pages. */
function assetAt(directory: string, path: string): string | undefined {
  const file = join(directory, path);
  return path.startsWith('assets/') && file.startsWith(join(directory, 'assets') + sep) && existsSync(file) ? file : undefined;
}

/**
 * Checks own pages, and plans the pages of the site with them.
 * @throws {UserError} that names each mistake in them
 */
function openDevOwn(
  own: ReadOwnContent | undefined,
  readOwn: () => Promise<ReadOwnContent | undefined>,
  { sites, entries, content }: Pick<OpenSite, 'sites' | 'entries'> & { content: ContentReader },
) {
  let files = own?.files;
  const planned = () => [...planPages({ sites, entries })];
  const check = (read: ReadOwnContent | undefined) => {
    throwOwnProblems(findEmbedMistakes(read, { entries, sites, content }));
    const paths = planned().map(({ path }) => path);
    throwOwnProblems(findLinkMistakes(read, paths));
  };
  check(own);
  const pages = planned();
  return {
    /** The pages of the site; changed when own pages are read again. */
    pages,
    /** Returns the file of an image on disk by its path in the site. */
    fileAt: (path: string) => files?.get(path),
    async readAgain() {
      const read = await readOwn();
      for (const site of sites) Object.assign(site.own, openOwn(read?.content ?? NO_CONTENT)); // pages have these objects
      files = read?.files;
      pages.splice(0, pages.length, ...planned());
      check(read);
    },
  };
}
