/** Astro's settings, also for `microfiche dev`, and its root, to which Astro writes: a package must not be written to. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { satteri } from '@astrojs/markdown-satteri';
import type { AstroUserConfig } from 'astro';
import { embedPlugin, MARKDOWN_FEATURES } from '../../site/own/embed-markup.ts';
import { styleModule } from './style-module.ts';

/** The settings that do not depend on the snapshot. */
export const ASTRO_SETTINGS = {
  output: 'static',
  // File names in all paths (`index.html`, `name.html`), because on file:// a link to a directory lists its files.
  build: { format: 'preserve', concurrency: 64, inlineStylesheets: 'never' },
  compressHTML: true,
  devToolbar: { enabled: false },
  prefetch: false,
  // Of own pages. Their code has no colors: pages allow no inline styles.
  markdown: { processor: satteri({ features: MARKDOWN_FEATURES, mdastPlugins: [embedPlugin] }), syntaxHighlight: false },
  // The build empties the directory itself, before Astro has written to it.
  vite: { build: { emptyOutDir: false }, plugins: [styleModule()] },
} satisfies AstroUserConfig;

/** Creates a directory from which the program's packages can be imported. Returns the directory of the packages. */
export function createAstroRoot(directory: string): string {
  const packages = dirname(dirname(createRequire(import.meta.url).resolve('astro/package.json')));
  mkdirSync(directory, { recursive: true });
  const link = join(directory, 'node_modules');
  rmSync(link, { force: true });
  symlinkSync(packages, link, 'junction'); // the kind of link that Windows allows everyone
  return packages;
}
