/** The site's own style sheet and scripts: written beside the pages, not by Astro, so that every page may link to them by a relative name. */
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'vite';

const SOURCE = join(import.meta.dirname, '..');

/** Classic scripts below assets/, each from its entry module. A browser refuses modules on file://. */
const SCRIPTS = {
  'theme.js': join(SOURCE, 'site/scripts/theme.ts'),
  'object.js': join(SOURCE, 'site/scripts/object.ts'),
  'search.js': join(SOURCE, 'search/reader.ts'),
};
/** Further ones for a kiosk. */
const KIOSK_SCRIPTS = {
  'kiosk.js': join(SOURCE, 'site/scripts/kiosk.ts'),
  'keyboard.js': join(SOURCE, 'site/scripts/keyboard.ts'),
};
/** Scripts of others, taken as they are. */
const LIBRARIES = { 'openseadragon.min.js': 'openseadragon/build/openseadragon/openseadragon.min.js' };

/** Writes assets/ into the folder `out`. */
export async function writeAssets(out: string, kiosk: boolean): Promise<void> {
  cpSync(join(SOURCE, 'site/styles/site.css'), join(out, 'assets/site.css'));
  const require = createRequire(import.meta.url);
  for (const [name, file] of Object.entries(LIBRARIES)) cpSync(require.resolve(file), join(out, 'assets', name));
  for (const [name, entry] of Object.entries({ ...SCRIPTS, ...(kiosk ? KIOSK_SCRIPTS : {}) })) {
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: {
        outDir: join(out, 'assets'),
        emptyOutDir: false,
        target: 'es2022',
        lib: { entry, formats: ['iife'], name: 'microfiche', fileName: () => name },
        rolldownOptions: { output: { codeSplitting: false } },
      },
    });
  }
}
