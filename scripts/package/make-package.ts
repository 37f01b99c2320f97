/**
 * Makes what the npm package has instead of the sources: `lib/`, with JavaScript, types and source maps, because Node strips no
 * types below node_modules. npm runs it before `npm pack` and `npm publish`. The directory has the same shape as the checkout.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import ts from 'typescript';
import manifest from '../../package.json' with { type: 'json' };
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { createProgram } from '../commands.ts';
import { writeSampleSnapshot } from '../sample/load-sample.ts';
import { createConfigSchema } from './config-schema.ts';
import { configTypes, integrationTypes } from './config-types.ts';
import { manPage } from './man-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIB = join(ROOT, 'lib');
/** Not needed to run the program. */
const LEFT_OUT = /\.test\.ts$|(?:^|\/)tsconfig\.json$/;
/** The sources are not in the package, and nothing looks them up here. Stack traces have their paths in the repository. */
const SOURCE_ROOT = 'microfiche:///';
/** The projects by their settings. Each compiles the sources that its settings name. */
const PROJECTS = ['scripts', 'src/reader'];
/** What only the repository needs: of `scripts` all but the command line, and the drawing of the sample. */
const ONLY_REPOSITORY = /^(?:content\/|scripts\/(?:typecheck\.ts$|(?!commands\/|options\/)[^/]+\/))/;
/** Types of the command line, exports and what runs in browsers: no other package imports them, except one for a component. */
const UNUSED_TYPES = /^(?:scripts|src\/(?:export|api|harvest|reader(?!\/page\/not-found)))\/.*\.d\.ts$/;

rmSync(LIB, { recursive: true, force: true });
const missing = PROJECTS.flatMap(compile);
for (const [path, file] of listFiles(LIB)) if (UNUSED_TYPES.test(path)) rmSync(file);
if (missing.length > 0) {
  console.error(missing.join('\n'));
  process.exitCode = 1;
}
copyOthers();
writeSampleSnapshot(join(ROOT, 'content/sample'));
for (const directory of ['public', 'content/sample']) cpSync(join(ROOT, directory), join(LIB, directory), { recursive: true });
// What the program reads of its own package.json.
const { name, version, license, type, engines } = manifest;
writeFileSync(join(LIB, 'package.json'), `${JSON.stringify({ name, version, license, type, engines }, undefined, 2)}\n`);

const schema = await createConfigSchema();
writeFileSync(join(LIB, 'config.schema.json'), `${JSON.stringify(schema, undefined, 2)}\n`);
writeFileSync(join(LIB, 'config.d.ts'), configTypes(schema));
writeFileSync(join(LIB, 'astro.d.ts'), integrationTypes());
writeFileSync(join(LIB, 'microfiche.1'), manPage(createProgram()));

/** Compiles a project into `lib/`. Returns its errors. */
function compile(project: string): string[] {
  const file = join(ROOT, project, 'tsconfig.json');
  const parsed = ts.getParsedCommandLineOfConfigFile(file, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail });
  const names = (parsed?.fileNames ?? []).filter(
    (name) => !LEFT_OUT.test(relative(ROOT, name)) && !ONLY_REPOSITORY.test(relative(ROOT, name)),
  );
  const program = ts.createProgram(names, {
    ...parsed?.options,
    noEmit: false,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    sourceMap: true,
    inlineSources: false,
    sourceRoot: SOURCE_ROOT,
    removeComments: false,
    rootDir: ROOT,
    outDir: LIB,
  });
  const { diagnostics } = program.emit(undefined, undefined, undefined, undefined);
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ messageText, file: source }) => `${source?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}

/**
 * Copies components, styles and the tables of snapshots. The components of the site are in `components` a second time, because
 * one pattern in package.json exports all of them. Only editors and type checks read them there:
 * src/build/astro/components-module.ts finds the others.
 */
function copyOthers(): void {
  mkdirSync(join(LIB, 'components'));
  for (const [path, file] of listFiles(join(ROOT, 'src'))) {
    if (path.endsWith('.ts') || LEFT_OUT.test(path)) continue;
    const target = join(LIB, 'src', path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
    if (!path.endsWith('.astro')) continue;
    const component = readFileSync(file, 'utf8');
    const directory = `src/${dirname(path)}`;
    writeFileSync(target, moveComponent(component, directory, directory));
    if (path.startsWith('site/') && basename(path) !== 'page.astro')
      writeFileSync(join(LIB, 'components', basename(path)), moveComponent(component, directory, 'components'));
  }
}

/** Returns a component with its imports as from the directory `to`, under compiled names. Directories are relative to `lib`. */
function moveComponent(component: string, from: string, to: string): string {
  return component.replace(/(\bfrom |\bimport\()'(\.[^']*)'/g, (_, before: string, path: string) => {
    const moved = posix.relative(to, posix.join(from, path)).replace(/\.ts$/, '.js');
    return `${before}'${moved.startsWith('.') ? moved : `./${moved}`}'`;
  });
}

function fail({ messageText }: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}
