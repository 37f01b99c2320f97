/** Makes Astro's bundle of the pages. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type AstroAdapter, type AstroIntegration, build } from 'astro';
import type { Plugin } from 'vite';
import { createAstroRoot } from './astro-root.ts';
import { ASTRO_SETTINGS } from './astro-settings.ts';
import { PROGRAM } from './module-file.ts';
import { sharedModule } from './shared-module.ts';
import { styleModule } from './style-module.ts';

/** Astro's name for the directory of the code that renders pages in a build. */
const PAGES_DIRECTORY = '.prerender';

/**
 * An adapter that makes Astro bundle the pages into `build.server`. Without an adapter, the bundle would be in the working directory.
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

/** Returns a Vite plugin that bundles packages too. Not when Astro reads the content collections: then CommonJS packages are imported as they are. */
function packagesInBundle(): Plugin {
  return { name: 'microfiche-packages', apply: 'build', config: () => ({ resolve: { noExternal: true } }) };
}

/**
 * Makes the bundle in a directory.
 * @throws {Error} if Astro fails
 */
export async function makeBundle(directory: string): Promise<void> {
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  const draft = join(directory, 'draft');
  createAstroRoot(draft);
  await build({
    root: draft,
    srcDir: join(PROGRAM, 'src'),
    publicDir: join(PROGRAM, 'public'),
    configFile: false,
    ...ASTRO_SETTINGS,
    outDir: join(draft, 'out'),
    cacheDir: join(draft, 'cache'),
    build: { ...ASTRO_SETTINGS.build, server: `${draft}/` },
    integrations: [bundleOnly(() => cpSync(join(draft, PAGES_DIRECTORY), directory, { recursive: true }))],
    logLevel: 'silent', // errors are thrown, and reported by the caller // prose-ok: Astro's name
    // Otherwise Vite writes below node_modules, which may belong to another user.
    vite: {
      ...ASTRO_SETTINGS.vite,
      cacheDir: join(draft, 'vite'),
      plugins: [packagesInBundle(), sharedModule(), styleModule()],
    },
  });
  rmSync(draft, { recursive: true });
}
