/** Astro's bundle of the pages: made once for a version of the program, and imported by each build and thread. */
import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroAdapter, AstroIntegration, RouteData } from 'astro';
import { listFiles } from '../snapshot/directory-files.ts';
import { hashOfProgram } from './build-key.ts';
import { HAND_OVER, sharedModule } from './shared-module.ts';

/**
 * An adapter that makes Astro bundle the pages into `build.server`, from which node_modules can be resolved. Without an adapter, the bundle
 * would be in the working directory.
 */
const BUNDLE_IN_CACHE: AstroAdapter = {
  name: 'microfiche-bundle',
  adapterFeatures: { buildOutput: 'static', preserveBuildServerDir: true },
  supportedAstroFeatures: { staticOutput: 'stable', sharpImageService: 'stable' },
  entrypointResolution: 'explicit',
};

/** Returns an integration that makes Astro bundle the pages and render none of them. Astro deletes the bundle in the end: `keep` copies it before. */
function bundleOnly(keep: () => void): AstroIntegration {
  return {
    name: 'microfiche-bundle',
    hooks: {
      'astro:config:done': ({ setAdapter }) => setAdapter(BUNDLE_IN_CACHE),
      'astro:build:start': ({ setPrerenderer }) => {
        setPrerenderer((astro) => ({
          ...astro,
          name: 'microfiche-bundle',
          setup: async () => keep(),
          getStaticPaths: async () => [],
        }));
      },
    },
  };
}

const ROOT = join(import.meta.dirname, '../..');
/** Contains the bundles, from which npm packages can be resolved. */
const BUNDLES = join(ROOT, 'node_modules/.cache/microfiche-bundles');
/** In the bundle: Astro's name for the code that renders pages in a build. */
const PAGES_DIRECTORY = '.prerender';
const DAY_MS = 86_400_000;

/** Returns the directory of the bundle for a site, at its URL if that is known. Makes the bundle if this version of the program has not yet. */
export async function openBundle(site: string | undefined): Promise<string> {
  const directory = join(BUNDLES, hash('sha256', JSON.stringify([hashOfProgram(), HAND_OVER, site])).slice(0, 32));
  mkdirSync(BUNDLES, { recursive: true });
  if (existsSync(directory)) {
    if (isWhole(directory)) noteUse(directory);
    else rmSync(directory, { recursive: true, force: true });
  }
  deleteUnused(Date.now());
  if (!existsSync(directory)) await makeBundle(directory, site);
  return directory;
}

/** In the bundle: the sizes of its files by path, because a computer that loses power may leave empty ones. */
const SIZES_FILE = 'sizes.json';

function sizesIn(directory: string): string {
  return JSON.stringify(listFiles(join(directory, PAGES_DIRECTORY)).map(([path, file]) => [path, statSync(file).size]));
}

function isWhole(directory: string): boolean {
  const sizes = join(directory, SIZES_FILE);
  return existsSync(sizes) && readFileSync(sizes, 'utf8') === sizesIn(directory);
}

function noteUse(directory: string): void {
  const now = new Date();
  try {
    utimesSync(directory, now, now);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // another build has deleted it, and it is made again
  }
}

/** Deletes bundles that were not used for a day, of other versions or of builds that were interrupted. */
function deleteUnused(now: number): void {
  for (const name of readdirSync(BUNDLES)) {
    const stats = statSync(join(BUNDLES, name), { throwIfNoEntry: false });
    if (stats && now - stats.mtimeMs > DAY_MS) rmSync(join(BUNDLES, name), { recursive: true, force: true });
  }
}

async function makeBundle(directory: string, site: string | undefined): Promise<void> {
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  const { build } = await import('astro');
  const [draft, kept] = [mkdtempSync(join(BUNDLES, 'draft-')), mkdtempSync(join(BUNDLES, 'kept-'))];
  try {
    await build({
      root: ROOT,
      outDir: join(draft, 'out'),
      cacheDir: join(draft, 'cache'),
      build: { server: `${draft}/` },
      integrations: [bundleOnly(() => cpSync(join(draft, PAGES_DIRECTORY), join(kept, PAGES_DIRECTORY), { recursive: true }))],
      logLevel: 'silent', // errors are thrown, and reported by the caller // prose-ok: Astro's name
      vite: { plugins: [sharedModule()] },
      ...(site === undefined ? {} : { site, base: new URL(site).pathname }),
    });
    writeFileSync(join(kept, SIZES_FILE), sizesIn(kept));
    renameSync(kept, directory);
  } catch (error) {
    // Another build may have made it meanwhile.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    for (const temporary of [draft, kept]) rmSync(temporary, { recursive: true, force: true });
  }
}

/** What is used of the app in a bundle: `BuildApp` in astro/dist/core/build/app.js. */
export interface BundledApp {
  manifest: { routes: Array<{ routeData: RouteData }>; base: string };
  routeCache: { clearAll(): void };
  setInternals(internals: object): void;
  setOptions(options: object): void;
  render(request: Request, options: { routeData: RouteData }): Promise<Response>;
}

/** Imports the app of a bundle, as Astro's own prerenderer does. */
export async function importApp(bundle: string): Promise<BundledApp> {
  const directory = join(bundle, PAGES_DIRECTORY);
  const entry = readdirSync(directory).find((name) => /^prerender-entry\..*\.mjs$/.test(name));
  if (entry === undefined) throw new Error(`Astro has written no entry of the bundle to ${directory}`);
  const { app } = (await import(pathToFileURL(join(directory, entry)).href)) as { app: BundledApp };
  // Pages load no scripts and styles that Astro bundles, so that it looks up none.
  app.setInternals({ pagesByKeys: new Map() });
  app.setOptions({ settings: { scripts: [] }, logger: { options: { destination: { write: () => true } } } });
  return app;
}
