/** Astro's bundle of the pages: made once for a version of the program, and imported by each build and thread. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RouteData } from 'astro';
import type { ReadOwnContent } from '../../settings/read-own-content.ts';
import { openMade } from '../cache/program-cache.ts';
import { createBundleInProcess } from './bundle-process.ts';
import { HAND_OVER } from './shared-module.ts';

/**
 * Returns the directory of the bundle. It serves sites at every URL: pages take theirs from what is handed over to them. Only the
 * text of own pages is in it, because that is in Astro's content collections.
 */
export function openBundle(own?: Pick<ReadOwnContent, 'directory' | 'markdownHash'>): Promise<string> {
  return openMade(['bundle', HAND_OVER, ...(own ? [own.markdownHash] : [])], (out) =>
    createBundleInProcess(out, { content: own?.directory }),
  );
}

/** What is used of the app in a bundle: `BuildApp` in astro/dist/core/build/app.js. */
export interface BundledApp {
  manifest: { routes: Array<{ routeData: RouteData }> };
  routeCache: { clearAll(): void };
  setInternals(internals: object): void;
  setOptions(options: object): void;
  render(request: Request, options: { routeData: RouteData }): Promise<Response>;
}

/** Imports the app of a bundle, as Astro's own prerenderer does. */
export async function importApp(bundle: string): Promise<BundledApp> {
  const entry = readdirSync(bundle).find((name) => /^prerender-entry\..*\.mjs$/.test(name));
  if (entry === undefined) throw new Error(`Astro has written no entry of the bundle to ${bundle}`);
  const { app } = (await import(pathToFileURL(join(bundle, entry)).href)) as { app: BundledApp };
  // Pages load no scripts and styles that Astro bundles, so that it looks up none.
  app.setInternals({ pagesByKeys: new Map() });
  app.setOptions({ settings: { scripts: [] }, logger: { options: { destination: { write: () => true } } } });
  return app;
}
