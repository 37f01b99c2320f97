/** Astro's bundle of the pages: made once for a version of the program, and imported by each build and thread. */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RouteData } from 'astro';
import { hashOfProgram } from './build-key.ts';
import { PAGES_DIRECTORY, SIZES_FILE, sizesIn } from './bundle-files.ts';
import { makeBundleInProcess } from './bundle-process.ts';
import { HAND_OVER } from './shared-module.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Contains the bundles, from which npm packages can be resolved. */
const BUNDLES = join(ROOT, 'node_modules/.cache/microfiche-bundles');
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
  if (!existsSync(directory)) await makeBundleInProcess(directory, site);
  return directory;
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
