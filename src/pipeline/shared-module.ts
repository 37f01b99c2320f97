/** Keeps one module out of Astro's bundle, so that the pages import the very instance that the rest of the program has. */
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** The module through which a site is handed to the pages. */
export const HAND_OVER = join(import.meta.dirname, '../site/hand-over.ts');

/** A Vite plugin for builds: imports of `HAND_OVER` stay imports of its file. */
export function sharedModule(): Plugin {
  return {
    name: 'microfiche-shared-module',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return null;
      const file = resolve(dirname(importer.replace(/\?.*$/, '')), source);
      return file === HAND_OVER ? { id: pathToFileURL(HAND_OVER).href, external: true } : null;
    },
  };
}
