/** Makes Astro's bundle of the pages. */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type AstroAdapter, type AstroIntegration, build } from 'astro';
import { type InlineConfig, type Plugin, transformWithOxc } from 'vite';
import { PACKAGE } from '../../model/version.ts';
import { PROGRAM } from '../../platform/module-file.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import type { ReadComponents } from '../../settings/read-components.ts';
import { bundleScript } from './assets.ts';
import { ASTRO_SETTINGS, createAstroRoot } from './astro-settings.ts';
import { pathFrom, SCRIPT_FILE, writeParts } from './bundled-parts.ts';
import { type ComponentScript, collectParts, type PartsCollector } from './component-parts.ts';
import { componentsModule, isOfProgram, withoutQuery } from './components-module.ts';
import { sharedModule } from './shared-module.ts';

/** Astro's name for the directory of the code that renders pages in a build. */
const PAGES_DIRECTORY = '.prerender';

/** An adapter that makes Astro bundle the pages into `build.server`, instead of into the working directory. */
const BUNDLE_IN_CACHE: AstroAdapter = {
  name: 'microfiche-bundle',
  adapterFeatures: { buildOutput: 'static', preserveBuildServerDir: true },
  supportedAstroFeatures: { staticOutput: 'stable', sharpImageService: 'stable' },
  entrypointResolution: 'explicit',
};

/** Returns an integration that makes Astro bundle the pages, not render them. `keep` copies the bundle before its deletion. */
function bundleOnly(keep: () => void): AstroIntegration {
  return {
    name: 'microfiche-bundle',
    hooks: {
      'astro:config:done': ({ setAdapter }) => setAdapter(BUNDLE_IN_CACHE),
      'astro:build:start': ({ setPrerenderer }) => {
        setPrerenderer((astro) => ({
          ...astro,
          name: 'microfiche-bundle',
          setup: async () => keep(),
          getStaticPaths: async () => [],
        }));
      },
    },
  };
}

/** A Vite plugin that bundles packages too, except for Astro's content collections, which import CommonJS as it is. */
const PACKAGES: Plugin = { name: 'microfiche-packages', apply: 'build', config: () => ({ resolve: { noExternal: true } }) };

/**
 * Makes the bundle in a directory, with an archive's own components.
 * @throws {Error} if Astro fails; with the property `problem`, a sentence, if the cause is in an own component
 */
export async function createBundle(directory: string, components?: ReadComponents): Promise<void> {
  const parts = components && collectParts(components);
  try {
    await bundlePages(directory, components && parts ? [componentsModule(components), checkSyntax(), parts.plugin] : []);
    if (components && parts) await writeCollected(directory, components, parts);
  } catch (error) {
    const problem = parts && components && (parts.rejected() ?? describeCompileError(error, components));
    throw problem === undefined ? error : Object.assign(new Error(problem), { problem });
  }
}

async function writeCollected(bundle: string, { directory }: ReadComponents, parts: PartsCollector): Promise<void> {
  const { css, files, scripts } = parts.collected();
  const read = new Set(files);
  const hasScript = scripts.length > 0;
  // Errors are thrown.
  const quietly: InlineConfig = { logLevel: 'silent', plugins: [scriptsOf(scripts, read), checkSyntax()] };
  if (hasScript) await bundleScript(ENTRY, SCRIPT_FILE, bundle, quietly);
  writeParts(bundle, directory, { css, files: [...read].sort(), hasScript });
}

async function bundlePages(directory: string, plugins: Plugin[]): Promise<void> {
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  const draft = join(directory, 'draft');
  createAstroRoot(draft);
  await build({
    root: draft,
    srcDir: join(PROGRAM, 'src'),
    publicDir: join(PROGRAM, 'public'),
    configFile: false,
    ...ASTRO_SETTINGS,
    outDir: join(draft, 'out'),
    cacheDir: join(draft, 'cache'),
    build: { ...ASTRO_SETTINGS.build, server: `${draft}/` },
    integrations: [bundleOnly(() => cpSync(join(draft, PAGES_DIRECTORY), directory, { recursive: true }))],
    logLevel: 'silent', // errors are thrown, and reported by the caller
    // Otherwise Vite writes below node_modules, which may belong to another user.
    vite: {
      ...ASTRO_SETTINGS.vite,
      cacheDir: join(draft, 'vite'),
      plugins: [...ASTRO_SETTINGS.vite.plugins, PACKAGES, sharedModule(), ...plugins],
    },
  });
  rmSync(draft, { recursive: true });
}

/** The module that imports all scripts of components. */
const ENTRY = 'microfiche-component-scripts';

/** Returns a Vite plugin that puts each script, as a module, beside its component, to resolve its imports. Adds read files. */
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

/** What is read of the errors of Astro, Vite and Rolldown. */
interface CompileError {
  message: string;
  /** The module. */
  id?: string;
  loc?: { file?: string; line?: number };
  /** The errors that this one consists of. */
  errors?: readonly CompileError[];
}

const UNRESOLVED = /failed to resolve import "([^"]+)" from "([^"]+)"/;
/** The module behind `microfiche-archive/components`, as Rolldown names it. */
const PUBLIC_MODULE = /"[^"]*own-components\.[jt]s"/;

/** Returns a sentence; undefined if the cause of an error is not in a file of the project. */
function describeCompileError(error: unknown, { directory }: ReadComponents): string | undefined {
  for (const one of causesOf(error as CompileError)) {
    const message = stripVTControlCharacters(one.message);
    const [, missing, importer] = UNRESOLVED.exec(message) ?? [];
    const file = withoutQuery(importer ?? one.loc?.file ?? one.id ?? '');
    if (file === '' || isOfProgram(file)) continue;
    const where = `${pathFrom(directory, file)}${one.loc?.line === undefined ? '' : `, line ${one.loc.line}`}`;
    return `${where}: ${missing === undefined ? toSentence(message) : `"${toPrintable(missing, 200)}" cannot be found. Is the package installed?`}`;
  }
  return undefined;
}

function causesOf(error: CompileError): CompileError[] {
  const inner = error.errors ?? [];
  return inner.length > 0 ? inner.flatMap(causesOf) : [error];
}

/** Returns the first line of a message, without the code before it. */
function toSentence(message: string): string {
  const [line = ''] = message.trim().split('\n');
  const plain = toPrintable(line.replace(/^\[[A-Z_]+\] /, '').replace(PUBLIC_MODULE, `"${PACKAGE}/components"`), 400);
  return /[.!?]$/.test(plain) ? plain : `${plain}.`;
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Returns a Vite plugin that parses a project's scripts, because the errors of Vite's own transform do not name the file. */
function checkSyntax(): Plugin {
  return {
    name: 'microfiche-syntax',
    enforce: 'pre',
    async transform(code, id) {
      const file = withoutQuery(id);
      if (!id.startsWith('\0') && !isOfProgram(file) && !file.includes('node_modules') && SCRIPT.test(file))
        await transformWithOxc(code, file);
      return null;
    },
  };
}
