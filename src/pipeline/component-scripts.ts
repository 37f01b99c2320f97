/** Bundles the scripts of an archive's own components as one classic script, because browsers load no modules on file://. */
import { existsSync } from 'node:fs';
import type { Plugin } from 'vite';
import { bundleScript } from './assets.ts';
import { checkSyntax } from './compile-error.ts';
import type { ComponentScript } from './component-parts.ts';
import { withoutQuery } from './components-module.ts';

/** Errors are thrown. */
const QUIET = 'silent'; // prose-ok: Vite's name
const ENTRY = 'microfiche-component-scripts';

/** Writes the script `name` into a directory. Returns the files on the disk that it is made from. */
export async function bundleComponentScripts(
  scripts: readonly ComponentScript[],
  name: string,
  outDir: string,
): Promise<string[]> {
  const files = new Set<string>();
  await bundleScript(ENTRY, name, outDir, { logLevel: QUIET, plugins: [scriptsOf(scripts, files), checkSyntax()] });
  return [...files];
}

/** Returns a Vite plugin that has the scripts as modules beside their components, so that they import what is there. Files that are read are added. */
function scriptsOf(scripts: readonly ComponentScript[], files: Set<string>): Plugin {
  const modules = new Map(scripts.map(({ file, code }, i) => [`${file}?script=${i}.ts`, code]));
  return {
    name: ENTRY,
    enforce: 'pre',
    resolveId: (source) => (source.endsWith(ENTRY) ? `\0${ENTRY}` : modules.has(source) ? source : null),
    load(id) {
      if (id === `\0${ENTRY}`) return [...modules.keys()].map((path) => `import ${JSON.stringify(path)};`).join('\n');
      const code = modules.get(id);
      return code === undefined ? null : { code, moduleType: 'ts' };
    },
    buildEnd() {
      for (const id of this.getModuleIds()) if (existsSync(withoutQuery(id))) files.add(withoutQuery(id));
    },
  };
}
