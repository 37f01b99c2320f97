// Astro's settings. `microfiche build` adds directories and an adapter (src/build/astro/create-bundle.ts), and the sitemap.
import { defineConfig } from 'astro/config';
import { ASTRO_SETTINGS } from './src/build/astro/astro-settings.ts';
import { devSite } from './src/build/dev/dev.ts';

// `astro dev` shows the snapshot that MICROFICHE_SNAPSHOT or microfiche.config.json names, otherwise the sample archive.
export default defineConfig({
  ...ASTRO_SETTINGS,
  integrations: [
    devSite(
      async () => (await import('./scripts/commands/dev.ts')).readDevOptions(),
      async (error) => (await import('./scripts/commands/dev.ts')).exitOnUserError(error),
    ),
  ],
});
