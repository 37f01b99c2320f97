/** Makes Astro's bundle of the pages. */
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AstroAdapter, type AstroIntegration, build } from 'astro';
import { PAGES_DIRECTORY, SIZES_FILE, sizesIn } from './bundle-files.ts';
import { sharedModule } from './shared-module.ts';

const ROOT = join(import.meta.dirname, '../..');

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

/**
 * Makes the bundle in a directory that does not exist, for a site at its URL if that is known.
 * @throws {Error} if Astro fails
 */
export async function makeBundle(directory: string, site: string | undefined): Promise<void> {
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  const bundles = dirname(directory);
  const [draft, kept] = [mkdtempSync(join(bundles, 'draft-')), mkdtempSync(join(bundles, 'kept-'))];
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
