/**
 * Collects what Astro's bundle of the pages leaves out of an archive's own components, because it has neither styles nor scripts:
 * these become part of the style sheet, and a script of the site. And which files the components are made from, so that it is
 * known when one changes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type Plugin, preprocessCSS, type ResolvedConfig } from 'vite';
import { shortHash } from '../../platform/short-hash.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { stylesheetProblems } from '../../settings/check-stylesheet.ts';
import type { ReadComponents } from '../../settings/read-components.ts';
import { pathFrom } from './bundled-parts.ts';
import { isOfProgram, withoutQuery } from './components-module.ts';

/** A script of a component. */
export interface ComponentScript {
  file: string;
  /** TypeScript. */
  code: string;
}

const STYLE_MODULE = /\?astro&type=style/;
const SCRIPT_MODULE = /\?astro&type=script/;
/** A module without content. */
const NOTHING = '\0microfiche-nothing';
const STYLE_FILE = /\.(?:css|scss|sass|less|styl|stylus|pcss|postcss)$/;
const SCOPE = /data-astro-cid-[a-z0-9]+/g;
const ASSET = /\.(?:png|jpe?g|webp|avif|gif|ico|woff2?|ttf|otf|mp[34]|webm|pdf)$/i;
const RENDERED_SCRIPT = /\$\$renderScript\(\$\$result,\s*"[^"]*"\)/g;
/** Elements that the Content-Security-Policy of pages blocks. Data blocks are not run. */
const INLINE_ELEMENT =
  /<(script|style)\b(?=[^>]*\s(?:is:inline|define:vars))(?![^>]*\s(?:src|type="application\/[^"]*json")\b)[^>]*>/;
/** The script of another host. */
const EXTERNAL_SCRIPT = /<script\b[^>]*\ssrc=["']((?:https?:)?\/\/[^"']*)["']/i;

/** A plugin that collects. */
export type PartsCollector = ReturnType<typeof collectParts>;

/** What a collector has so far. */
interface Collection {
  directory: string;
  /** CSS by module. */
  styles: Map<string, string>;
  /** By component and number. */
  scripts: Map<string, ComponentScript>;
  files: Set<string>;
  /** Ends the bundling. */
  reject(problem: string): never;
}

/** Returns a Vite plugin that collects the parts of components. */
export function collectParts({ directory, files }: ReadComponents) {
  const entries = files.map(([, file]) => file);
  let rejection: string | undefined;
  const collection: Collection = {
    directory,
    styles: new Map(),
    scripts: new Map(),
    files: new Set(entries),
    reject(problem) {
      rejection = problem;
      throw new Error(problem);
    },
  };
  let config: ResolvedConfig;
  const plugin: Plugin = {
    name: 'microfiche-component-parts',
    apply: 'build',
    enforce: 'pre',
    configResolved: (resolved) => {
      config = resolved;
    },
    resolveId(source, importer) {
      if (importer === undefined || isOfProgram(withoutQuery(importer))) return null;
      if (SCRIPT_MODULE.test(source)) return NOTHING; // Astro imports scripts unless NODE_ENV is "production"
      if (importer.startsWith(directory) && ASSET.test(source))
        collection.reject(
          `${pathFrom(directory, withoutQuery(importer))} imports ${source}, and pages load no files of components. Import "${source}?inline", which is a data: URL.`,
        );
      return null;
    },
    load: (id) => (id === NOTHING ? '' : null),
    async transform(code, id) {
      if (id.startsWith('\0') || isOfProgram(withoutQuery(id))) return null;
      if (STYLE_MODULE.test(id)) return takeStyle(id, code, collection);
      if (STYLE_FILE.test(id)) {
        const css = await preprocessCSS(code, id, config);
        for (const dependency of css.deps ?? []) collection.files.add(dependency);
        return takeStyle(id, css.code, collection);
      }
      return id.endsWith('.astro') ? takeComponent(id, code, this.getModuleInfo(id)?.meta['astro'], collection) : null;
    },
    buildEnd() {
      for (const file of importedFrom(entries, (id) => this.getModuleInfo(id))) collection.files.add(file);
    },
  };
  const sorted = <Value>(map: Map<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  return {
    /** For builds. It must follow Astro's own plugins. */
    plugin,
    /** Returns what was collected; the files are those on the disk, apart from those of the program. */
    collected: () => ({
      css: sorted(collection.styles).join('\n'),
      scripts: sorted(collection.scripts),
      files: [...collection.files].sort(),
    }),
    /** Returns why the bundle failed, if the plugin has rejected something. */
    rejected: () => rejection,
  };
}

/** Keeps a style, and leaves an empty one in its place. */
function takeStyle(id: string, css: string, { directory, styles, reject }: Collection) {
  const path = pathFrom(directory, withoutQuery(id));
  const [problem] = stylesheetProblems(css);
  if (problem !== undefined) reject(`${path}${problem}`);
  styles.set(`${path}${id.slice(id.indexOf('?'))}`, css.replaceAll(SCOPE, scopeOf(path)));
  return { code: '', map: null };
}

/** Keeps the scripts of a compiled component, and takes them out of it. `meta` is what Astro's compiler says of it. */
function takeComponent(
  id: string,
  code: string,
  meta: { scripts: Array<{ code?: string; src?: string }> } | undefined,
  { directory, scripts, reject }: Collection,
) {
  const path = pathFrom(directory, id);
  const mistake = findMistake(readFileSync(id, 'utf8'));
  if (mistake !== undefined) reject(`${path}${mistake}`);
  for (const [i, script] of (meta?.scripts ?? []).entries())
    scripts.set(`${path}:${i}`, { file: id, code: script.code ?? `import ${JSON.stringify(script.src)};` });
  return {
    code: code.replaceAll(RENDERED_SCRIPT, '""').replaceAll(SCOPE, scopeOf(path)),
    map: null,
    meta: { astro: { ...meta, scripts: [] } },
  };
}

/** Astro computes scopes from the path on the disk, so that the same project elsewhere would have other pages. */
const scopeOf = (path: string): string => `data-astro-cid-${shortHash(path)}`;

/** Returns what Astro compiles in a component and pages cannot have, as the end of a sentence that begins with its path. */
function findMistake(source: string): string | undefined {
  if (/^\s*---(?![\s\S]*---)/.test(source)) return ', line 1: the code has no end. Close it with a second line of three dashes.';
  const lineOf = (found: RegExpExecArray) => source.slice(0, found.index).split('\n').length;
  const loaded = EXTERNAL_SCRIPT.exec(source);
  if (loaded)
    return `, line ${lineOf(loaded)}: <script> loads ${toPrintable(loaded[1] ?? '', 200)}, and pages load no scripts from elsewhere. Put the script into the project, and import it.`;
  const found = INLINE_ELEMENT.exec(source);
  if (!found) return undefined;
  return `, line ${lineOf(found)}: <${found[1]}> is inline, which the Content-Security-Policy of pages does not allow. Leave out is:inline and define:vars.`;
}

type FindModule = (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;

/** Returns the files that modules import, directly or not, apart from those of the program and of Astro. */
function importedFrom(entries: readonly string[], find: FindModule): Set<string> {
  const seen = new Set<string>();
  const files = new Set<string>();
  const waiting = [...entries];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const file = withoutQuery(id);
    if (id.startsWith('\0') || isOfProgram(file) || /[\\/]node_modules[\\/]astro[\\/]/.test(file) || !existsSync(file)) continue;
    files.add(file);
    const found = find(id);
    waiting.push(...(found?.importedIds ?? []), ...(found?.dynamicallyImportedIds ?? []));
  }
  return files;
}
