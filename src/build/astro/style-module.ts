/** Makes the style sheets of a site from those of its layers, parts and pages. */
import { basename, join } from 'node:path';
import { bundle } from 'lightningcss';
import type { Plugin } from 'vite';
import { IMPORT_FOR_OLD_ENGINES, OLD_ENGINES_STYLE, styleForEngines, styleForOldEngines } from '../../publish/old-engines.ts';
import { ratioRules, slideRules } from '../../site/styles/numbered-rules.ts';

const STYLES = join(import.meta.dirname, '../../site/styles');

interface StyleOptions {
  kiosk: boolean;
  /** What a design adds. */
  css?: string | undefined;
}

/** Returns the style sheets of a site, by their names in `assets/`. */
export function createStyles(options: StyleOptions): Record<string, string> {
  const style = `${readStyle('site.css', options)}\n${options.css ?? ''}`;
  const printed = read('printed.css');
  return {
    'site.css': `${IMPORT_FOR_OLD_ENGINES}${styleForEngines(style)}`,
    'print.css': styleForEngines(printed),
    [OLD_ENGINES_STYLE]: styleForOldEngines(`${style}\n@media print {\n${printed}\n}`),
  };
}

/** Returns the style sheet of a page that cannot link to files: the one of a missing address. It is for old engines too. */
export function createStandaloneStyle({ css = '', ...options }: StyleOptions): string {
  return styleForOldEngines(`${readStyle('not-found.css', options)}\n${css}`);
}

/** Returns a style sheet as it is written, in one text, with what a kiosk adds to it. */
export function readStyle(name: 'site.css' | 'not-found.css', { kiosk }: StyleOptions): string {
  return [read(name), ratioRules(), ...(kiosk ? [read('kiosk.css'), slideRules()] : [])].join('\n');
}

const read = (file: string): string => bundle({ filename: join(STYLES, file) }).code.toString();

/** Returns a Vite plugin that has the whole style sheet, for pages that import its file with `?raw`. */
export function styleModule(): Plugin {
  return {
    name: 'microfiche-style',
    enforce: 'pre',
    load(id) {
      if (!id.startsWith(STYLES) || !id.endsWith('.css?raw')) return null;
      return `export default ${JSON.stringify(createStandaloneStyle({ kiosk: basename(id).startsWith('kiosk') }))};`;
    },
  };
}
