/** Leaves one module out of Astro's bundle, so that pages import the same instance as the rest of the program. */
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { moduleFile } from '../../platform/module-file.ts';

/** The module through which a site is handed to the pages. */
export const HAND_OVER = moduleFile('site/hand-over');

/** Returns a Vite plugin for builds that leaves imports of `HAND_OVER` as they are. */
export function sharedModule(): Plugin {
  return {
    name: 'microfiche-shared-module',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !(source.startsWith('.') || source === HAND_OVER)) return null;
      const file = resolve(dirname(importer.replace(/\?.*$/, '')), source);
      return file === HAND_OVER ? { id: pathToFileURL(HAND_OVER).href, external: true } : null;
    },
  };
}
