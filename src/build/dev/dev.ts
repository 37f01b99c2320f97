/** The dev server: Astro's own server with the pages of a snapshot, each rendered on request with the current components. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, dirname, join, sep } from 'node:path';
import type { AstroIntegration } from 'astro';
import send from 'send';
import type { DevEnvironment, RunnableDevEnvironment, ViteDevServer } from 'vite';
import { decodePercent } from '../../model/text/percent.ts';
import { PROGRAM } from '../../platform/module-file.ts';
import type { BuildContext } from '../../site/hand-over.ts';
import { CONTENT_VARIABLE } from '../../site/own/content-directory.ts';
import { ASTRO_SETTINGS, createAstroRoot } from '../astro/astro-settings.ts';
import { componentsModule } from '../astro/components-module.ts';
import { HAND_OVER } from '../astro/shared-module.ts';
import type { DevOptions, openDevSite } from './open-dev-site.ts';

/** What scripts and styles of pages are made from: directories, and how their files end. */
const ASSETS = Object.entries({ reader: '.ts', formats: '.ts', site: '.css' }).map(
  ([path, end]) => [join(PROGRAM, 'src', path) + sep, end] as const,
);

/**
 * An Astro integration that shows a snapshot in `astro dev`; in a build it does nothing. `options` is called when the server
 * starts, and `onError` if the snapshot cannot be shown; without it, or if it returns, Astro reports the error.
 */
export function devSite(options: () => Promise<DevOptions>, onError?: (error: unknown) => Promise<void>): AstroIntegration {
  let site: Awaited<ReturnType<typeof openDevSite>> | undefined;
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
          // Loaded here, because Astro loads its config for every command.
          const { openDevSite } = await import('./open-dev-site.ts');
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
          const file = fileAt(decodePercent(new URL(request.url ?? '/', 'http://localhost').pathname.slice(1)));
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
