/** The dev server: Astro's own server with the pages of a snapshot, each rendered on request with the current components. */
import { existsSync, mkdtempDisposableSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { AstroIntegration } from 'astro';
import send from 'send';
import type { DevEnvironment, RunnableDevEnvironment, ViteDevServer } from 'vite';
import { decodePercent } from '../../model/text/percent.ts';
import { PROGRAM } from '../../platform/module-file.ts';
import type { ReadComponents } from '../../settings/read-components.ts';
import type { ReadDesign } from '../../settings/read-design.ts';
import type { ReadOwnContent } from '../../settings/read-own-content.ts';
import type { BuildContext } from '../../site/hand-over.ts';
import { CONTENT_VARIABLE } from '../../site/own/content-directory.ts';
import { ASTRO_SETTINGS, createAstroRoot } from '../astro/astro-settings.ts';
import { componentsModule } from '../astro/components-module.ts';
import { HAND_OVER } from '../astro/shared-module.ts';
import type { BuildOptions } from '../steps/build-options.ts';
import type { PreparedSite } from '../steps/prepare.ts';

type SharedOptions = 'snapshot' | 'withholding' | 'withholdLess' | 'collections' | 'languages' | 'archiveLanguage' | 'featured';
/** Options of the dev server: of those of a build, the ones that it needs. */
export interface DevOptions extends Pick<BuildOptions, SharedOptions | 'words' | 'design' | 'notices'> {
  components: ReadComponents | undefined;
  /** Directory of the own pages, which may not exist. */
  contentDirectory: string;
  /** Reads the own pages. */
  readOwn(): Promise<ReadOwnContent | undefined>;
}

/** The site of a running dev server. */
type DevSite = Awaited<ReturnType<typeof openDevSite>>;

/** What scripts and styles of pages are made from: directories, and how their files end. */
const ASSETS = Object.entries({ reader: '.ts', formats: '.ts', site: '.css' }).map(
  ([path, end]) => [join(PROGRAM, 'src', path) + sep, end] as const,
);

/**
 * An Astro integration that shows a snapshot in `astro dev`; in a build it does nothing. `options` is called when the server
 * starts, and `onError` if the snapshot cannot be shown; without it, or if it returns, Astro reports the error.
 */
export function devSite(options: () => Promise<DevOptions>, onError?: (error: unknown) => Promise<void>): AstroIntegration {
  let site: DevSite | undefined;
  let contentDirectory = '';
  return {
    name: 'microfiche-dev',
    hooks: {
      // Reads the snapshot before the server starts, so that the server does not start without one.
      'astro:config:setup': async ({ command, logger, updateConfig }) => {
        if (command !== 'dev') return;
        site?.close();
        try {
          const { snapshot, ...settings } = await options();
          contentDirectory = settings.contentDirectory;
          process.env[CONTENT_VARIABLE] = contentDirectory; // for src/content.config.ts
          if (settings.components) {
            const { directory } = settings.components;
            updateConfig({ vite: { plugins: [componentsModule(settings.components)], server: { fs: { allow: [directory] } } } });
          }
          logger.info(`Reading ${snapshot}`);
          site = await openDevSite(snapshot, settings, (line) => logger.info(line));
        } catch (error) {
          await onError?.(error);
          throw error;
        }
      },
      'astro:server:setup': ({ server }) => {
        if (!site) return; // a build also starts a server briefly, to write Astro's types
        const { handOver, fileAt, writeAssets, readOwn } = site;
        server.middlewares.use((request, response, next) => {
          const file = fileAt(pathOf(request));
          if (file !== undefined) return sendFile(request, response, file);
          handToPages(server, handOver).then(() => next(), next);
        });
        reloadOnAssetChange(server, writeAssets);
        reloadOnTextChange(server, contentDirectory, readOwn);
      },
      'astro:server:done': () => site?.close(),
    },
  };
}

/**
 * Starts Astro's dev server over a snapshot; it stops with the process. `site` is `devSite(…)`. If `quiet`, only errors are
 * logged. Returns the URL of the home page.
 */
export async function startDevServer(
  site: AstroIntegration,
  { quiet, ...server }: { port: number; host: string; quiet: boolean },
): Promise<string> {
  const { dev } = await import('astro');
  const { cacheRootDirectory } = await import('../../derivatives/cache-directories.ts');
  const logLevel = quiet ? 'error' : 'info';
  const root = join(cacheRootDirectory(), 'dev');
  const packages = createAstroRoot(root);
  const { address } = await dev({
    root,
    srcDir: join(PROGRAM, 'src'),
    publicDir: join(PROGRAM, 'public'),
    configFile: false,
    logLevel,
    ...ASTRO_SETTINGS,
    cacheDir: join(root, 'cache'),
    // Otherwise Vite writes below node_modules, which may belong to another user.
    vite: { ...ASTRO_SETTINGS.vite, cacheDir: join(root, 'vite'), server: { fs: { allow: [root, PROGRAM, packages] } } },
    integrations: [site],
    server,
  });
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}/`;
}

/**
 * Reads the snapshot and creates its derivatives, as a build does.
 * @throws {UserError} if it withholds less than before
 */
async function openDevSite(snapshot: string, settings: Omit<DevOptions, 'snapshot'>, log: (line: string) => void) {
  // Loaded here, because Astro loads its config for every command.
  const { createVisibleStore } = await import('../../catalogue/read/visible-store.ts');
  const { cacheRootDirectory } = await import('../../derivatives/cache-directories.ts');
  const { openSiteCache } = await import('../cache/build-caches.ts');
  const { completeDesign, writeSettingFiles } = await import('../astro/design-files.ts');
  const { openDevOwn } = await import('./dev-own-content.ts');
  const { prepareSite } = await import('../steps/prepare.ts');
  const { openSnapshot } = await import('../../snapshot/store.ts');
  const { protectSnapshot } = await import('../../publish/withheld-before.ts');
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
  logProblems({ problems, lacking }, log);
  const { pages, ...ownPages } = openDevOwn(own, settings.readOwn, { sites, entries, content });
  await writeDevAssets(assets, design);
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
    writeAssets: () => writeDevAssets(assets, design),
    close: () => open.dispose(),
  };
}

function logProblems({ problems, lacking }: Pick<PreparedSite, 'problems' | 'lacking'>, log: (line: string) => void): void {
  for (const { owner, cause } of problems) log(`${owner}: ${cause}`);
  for (const { tool } of lacking) log(`Not installed: ${tool}. Some files have placeholders instead.`);
}

/** Returns the path in the site that a request names. */
function pathOf({ url = '/' }: IncomingMessage): string {
  const { pathname } = new URL(url, 'http://localhost');
  return decodePercent(pathname.slice(1));
}

/** Returns the file of a script or style sheet. The service worker is not served, because it would store pages. */
function assetAt(directory: string, path: string): string | undefined {
  const file = join(directory, path);
  return path.startsWith('assets/') && file.startsWith(join(directory, 'assets') + sep) && existsSync(file) ? file : undefined;
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: string): void {
  send(request, encodeURIComponent(basename(file)), { root: dirname(file), cacheControl: false })
    .on('error', (error: Error & { status?: number }) => {
      response.statusCode = error.status ?? 500;
      response.end();
    })
    .pipe(response);
}

/** Hands the site to each module graph in which Astro runs pages: for each request, because a reloaded graph has lost it. */
async function handToPages(server: ViteDevServer, handOver: BuildContext): Promise<void> {
  const isRunnable = (environment: DevEnvironment): environment is RunnableDevEnvironment => 'runner' in environment;
  for (const environment of Object.values(server.environments).filter(isRunnable)) {
    const pages: typeof import('../../site/hand-over.ts') = await environment.runner.import(HAND_OVER);
    if (!pages.hasSite()) pages.handOver(handOver);
  }
}

async function writeDevAssets(directory: string, read: ReadDesign | undefined): Promise<void> {
  const { writeAssets } = await import('../astro/assets.ts');
  await writeAssets(directory, { kiosk: false, compact: false, css: read?.design.css, icon: read?.icon });
}

/** Writes the browser's scripts and styles again when a source changes. Vite does not, because they are not modules of a page. */
function reloadOnAssetChange(server: ViteDevServer, writeAssets: () => Promise<void>): void {
  server.watcher.add(ASSETS.map(([directory]) => directory));
  server.watcher.on('change', (file) => {
    if (!ASSETS.some(([directory, end]) => file.startsWith(directory) && file.endsWith(end))) return;
    reloadAfter(writeAssets(), server);
  });
}

/** Reloads the page in the browser when some work is done. If it fails, logs the error. */
async function reloadAfter(work: Promise<void>, server: ViteDevServer): Promise<void> {
  await work.then(
    () => server.ws.send({ type: 'full-reload' }),
    (error: Error) => server.config.logger.error(error.message),
  );
}

/** Milliseconds from a change until the own pages are read again: the watcher may report a write when it only begins. */
const SETTLING_TIME = 100;

/**
 * Calls `readOwn` when an own page in a directory changes, and reports what is wrong in them. Astro reads their text again
 * itself. The directory may not exist.
 */
function reloadOnTextChange(server: ViteDevServer, directory: string, readOwn: () => Promise<void>): void {
  const directories = ['pages', 'exhibits'].map((kind) => join(directory, kind));
  server.watcher.add(directories);
  let reading = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const read = () => reloadAfter(readOwn(), server);
  const written = new Set<string>();
  server.watcher.on('all', (event, file) => {
    if (!directories.some((own) => file.startsWith(own + sep))) return;
    if (event === 'change') written.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const path of written) server.watcher.emit('change', path); // for Astro, which has read it when it began to change
      written.clear();
      reading = reading.then(read); // one after the other, so that the last one is of the last change
    }, SETTLING_TIME);
  });
}
