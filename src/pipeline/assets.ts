/** The site's own style sheet and scripts: written beside the pages, not by Astro, so that every page may link to them by a relative name. */
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import { build, type InlineConfig } from 'vite';

const SOURCE = join(import.meta.dirname, '..');

/** Classic scripts below assets/, each from its entry module. A browser refuses modules on file://. */
const SCRIPTS = {
  'theme.js': join(SOURCE, 'client/theme.ts'),
  'keep.js': join(SOURCE, 'client/keep.ts'),
  'object.js': join(SOURCE, 'client/object.ts'),
  'search.js': join(SOURCE, 'client/search-page.ts'),
};
/** Pixels that browsers want of the icon of what they install. */
export const ICON_SIZES = [192, 512];
/** The drawing is small: it is drawn larger before it is sized. */
const ICON_SCALE = 8;
/** Further ones for a kiosk. */
const KIOSK_SCRIPTS = {
  'kiosk.js': join(SOURCE, 'client/kiosk.ts'),
  'keyboard.js': join(SOURCE, 'client/keyboard.ts'),
};
/** Further ones for a compact site. */
const COMPACT_SCRIPTS = {
  'pages.js': join(SOURCE, 'client/pages.ts'),
  'thumbs.js': join(SOURCE, 'client/thumbs.ts'),
};
/** Scripts of others, taken as they are. */
const LIBRARIES = { 'openseadragon.min.js': 'openseadragon/build/openseadragon/openseadragon.min.js' };

/** Writes assets/ into the folder `out`. */
export async function writeAssets(out: string, { kiosk, compact }: { kiosk: boolean; compact: boolean }): Promise<void> {
  cpSync(join(SOURCE, 'site/styles/site.css'), join(out, 'assets/site.css'));
  const require = createRequire(import.meta.url);
  for (const [name, file] of Object.entries(LIBRARIES)) cpSync(require.resolve(file), join(out, 'assets', name));
  for (const [name, entry] of Object.entries({
    ...SCRIPTS,
    ...(kiosk ? KIOSK_SCRIPTS : {}),
    ...(compact ? COMPACT_SCRIPTS : {}),
  })) {
    await bundle(entry, name, join(out, 'assets'));
  }
  if (!kiosk) await bundle(join(SOURCE, 'client/service-worker.ts'), 'sw.js', out);
  const icon = join(SOURCE, '../public/assets/icon.svg');
  for (const size of ICON_SIZES) {
    await sharp(icon, { density: 72 * ICON_SCALE })
      .resize(size, size)
      .png()
      .toFile(join(out, `assets/icon-${size}.png`));
  }
}

/** Bundles the engine that Pagefind wrote beside the `index` with what answers it from packs, as `engine.js` in the packs' folder. */
export async function writeEngine(index: string, packs: string): Promise<void> {
  await bundle(join(SOURCE, 'client/packed.ts'), 'engine.js', packs, {
    resolve: { alias: { 'pagefind-of-the-index': join(index, 'pagefind.js') } },
    define: { fetch: 'microficheFetch', 'import.meta.url': 'undefined' },
  });
}

/** One module and all that it imports as one classic script. */
async function bundle(entry: string, name: string, outDir: string, more: InlineConfig = {}): Promise<void> {
  await build({
    ...more,
    // Libraries ask for it; a browser has no process.
    define: { 'process.env.NODE_ENV': JSON.stringify('production'), ...more.define },
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'microfiche', fileName: () => name },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
}
