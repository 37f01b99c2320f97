// The site's fixed settings. `microfiche build` adds the directories, the URL and the sitemap (src/pipeline/render.ts).
import { defineConfig } from 'astro/config';
import { devOptions } from './scripts/dev.ts';
import { ASTRO_SETTINGS } from './src/pipeline/astro-settings.ts';
import { devSite } from './src/pipeline/dev.ts';

// In `astro dev`, the pages show the snapshot that MICROFICHE_SNAPSHOT or microfiche.config.json names, else the sample archive.
export default defineConfig({ ...ASTRO_SETTINGS, integrations: [devSite(devOptions)] });
