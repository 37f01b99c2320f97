/** The settings of Astro that never change: astro.config.mjs and the dev server of the command line have them both. */
import type { AstroUserConfig } from 'astro';

export const ASTRO_SETTINGS = {
  output: 'static',
  // authors/index.astro → authors/index.html, the rest name.html: a link to a directory would list its files on file://.
  build: { format: 'preserve', concurrency: 64, inlineStylesheets: 'never' },
  compressHTML: true,
  devToolbar: { enabled: false },
  prefetch: false,
  // Pages that would not change are not rendered again (src/pipeline/page-cache.ts), so they must stay.
  vite: { build: { emptyOutDir: false } },
} satisfies AstroUserConfig;
