/** Gives pages that contain the style sheet the one for old engines, as the site has it. */
import { join } from 'node:path';
import { bundle } from 'lightningcss';
import type { Plugin } from 'vite';
import { styleForOldEngines } from '../../publish/old-engines.ts';
import { ratioRules, slideRules } from '../../site/styles/numbered-rules.ts';

const STYLES = join(import.meta.dirname, '../../site/styles');
/** The style sheet of all pages. */
const SITE_STYLE = join(STYLES, 'site.css');
/** What a kiosk adds to it. */
const KIOSK_STYLE = join(STYLES, 'kiosk.css');

/** Returns the style sheet of all pages, with what a design adds to it, for old engines. */
export function makeStyle({ kiosk, css = '' }: { kiosk: boolean; css?: string | undefined }): Promise<string> {
  return styleForOldEngines([readStyle({ kiosk }), css].join('\n'));
}

/** Returns the style sheet of all pages as it is written, in one text. */
export function readStyle({ kiosk }: { kiosk: boolean }): string {
  const read = (filename: string) => bundle({ filename }).code.toString();
  return [read(SITE_STYLE), ratioRules(), ...(kiosk ? [read(KIOSK_STYLE), slideRules()] : [])].join('\n');
}

/**
 * Returns a Vite plugin for builds that replaces the text of the style sheet, for pages that import it with `?raw`. The style sheet of kiosks
 * becomes a whole one.
 */
export function styleModule(): Plugin {
  return {
    name: 'microfiche-style',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (id !== `${SITE_STYLE}?raw` && id !== `${KIOSK_STYLE}?raw`) return null;
      return `export default ${JSON.stringify(await makeStyle({ kiosk: id.startsWith(KIOSK_STYLE) }))};`;
    },
  };
}
