// The site's fixed settings. `microfiche build` adds the folders, the address and the sitemap (src/pipeline/render.ts).
import { defineConfig } from 'astro/config';

export default defineConfig({
  output: 'static',
  // authors/index.astro → authors/index.html, the rest name.html: a link to a folder would list its files on file://.
  build: { format: 'preserve', concurrency: 64, inlineStylesheets: 'never' },
  compressHTML: true,
  devToolbar: { enabled: false },
  prefetch: false,
  // Pages that would not change are not rendered again (src/site/ledger.ts), so they must stay.
  vite: { build: { emptyOutDir: false } },
});
