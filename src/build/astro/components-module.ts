/** Replaces components of the site by an archive's own, when Vite resolves what pages and components import. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import { PACKAGE } from '../../model/version.ts';
import { moduleFile, PROGRAM } from '../../platform/module-file.ts';
import type { ReadComponents } from '../../settings/read-components.ts';
import type { ComponentName } from '../../site/own-components.ts';
import { HAND_OVER } from './shared-module.ts';

const SOURCES = join(PROGRAM, 'src') + sep;
/** The site's components by file name, all distinct: `Footer.astro` → the file on the disk. Without the `page.astro` files. */
const COMPONENTS: ReadonlyMap<string, string> = new Map(
  readdirSync(join(PROGRAM, 'src/site'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.astro') && basename(path) !== 'page.astro')
    .map((path) => [basename(path), join(PROGRAM, 'src/site', path)]),
);
/** What own components import: this module, and the components below it. */
const PUBLIC = `${PACKAGE}/components`;
/** A style of a component. */
const STYLE = /\?astro&type=style/;
/** Before absolute paths: Vite's prefix of paths outside of the root. */
const ANYWHERE = '/@fs';
/** Modules that choose between an own component and that of the site. */
const CHOICE = '\0microfiche-component:';

/** Returns the path of a module without what Vite adds to it. */
export const withoutQuery = (id: string): string => id.replace(/[?#].*$/s, '').replace(/^\/@fs(?=\/)/, '');

/** Whether a module is a file of the program, or made from one. */
export const isOfProgram = (id: string): boolean => id.startsWith(SOURCES);

/** Returns a Vite plugin that replaces components, for builds and for the dev server. */
export function componentsModule({ files, directory }: ReadComponents): Plugin {
  const replaced = new Map(files.map(([name]) => [COMPONENTS.get(`${name}.astro`), name]));
  const own = new Map(files);
  return {
    name: 'microfiche-components',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source.startsWith(CHOICE)) return source;
      if (importer === undefined) return null;
      // Astro would look for it below its own root.
      if (source.startsWith('/') && STYLE.test(source) && !isOfProgram(source)) return `${ANYWHERE}${source}`;
      if (source === PUBLIC) return moduleFile('site/own-components');
      if (source.startsWith(`${PUBLIC}/`)) return COMPONENTS.get(source.slice(PUBLIC.length + 1)) ?? null;
      const from = withoutQuery(importer);
      if (!isOfProgram(from)) {
        // What compiled components import themselves. The project may have no Astro of its own.
        return /^astro(?:[:/]|$)/.test(source) ? this.resolve(source, join(PROGRAM, 'src/components'), { skipSelf: true }) : null;
      }
      const name = source.startsWith('.') ? replaced.get(resolve(dirname(from), source)) : undefined;
      return name === undefined ? null : `${CHOICE}${name}`;
    },
    load(id) {
      if (!id.startsWith(CHOICE)) return null;
      const name = id.slice(CHOICE.length) as ComponentName;
      return choiceOf(name, own.get(name) as string, directory);
    },
  };
}

/** Returns a module that renders the own component, unless it has failed on the page. Errors say which component it was. */
function choiceOf(name: ComponentName, file: string, directory: string): string {
  const shown = file.startsWith(directory + sep) ? file.slice(directory.length + 1) : file;
  return `
import { createComponent } from 'astro/compiler-runtime';
import { failedComponent, showsOwnComponents } from ${JSON.stringify(HAND_OVER)};
import Own from ${JSON.stringify(file)};
import Usual from ${JSON.stringify(COMPONENTS.get(`${name}.astro`))};
const fail = (error) => { throw failedComponent(${JSON.stringify(`${name} (${shown})`)}, error); };
export default createComponent((result, props, slots) => {
  if (!showsOwnComponents()) return Usual(result, props, slots);
  try {
    const rendered = Own(result, props, slots);
    return rendered instanceof Promise ? rendered.catch(fail) : rendered;
  } catch (error) {
    return fail(error);
  }
}, ${JSON.stringify(file)}, undefined);
`;
}
