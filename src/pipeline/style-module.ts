/** Gives pages that contain the style sheet the one for old engines, as the site has it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { styleForOldEngines } from '../publish/old-engines.ts';

/** The style sheet of all pages. */
export const STYLE_FILE = join(import.meta.dirname, '../site/styles/site.css');

/** Returns a Vite plugin for builds that replaces the text of the style sheet, for pages that import it with `?raw`. */
export function styleModule(): Plugin {
  return {
    name: 'microfiche-style',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (id !== `${STYLE_FILE}?raw`) return null;
      return `export default ${JSON.stringify(await styleForOldEngines(readFileSync(STYLE_FILE, 'utf8')))};`;
    },
  };
}
