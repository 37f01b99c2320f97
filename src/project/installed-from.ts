/** How this program was installed, so that a project that it starts installs the same one. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { tryParse } from '../model/json.ts';
import { isObject } from '../model/values.ts';
import { PACKAGE, VERSION } from '../model/version.ts';

/** Where npm can install this program from again. */
export type Source =
  /** The registry: `dependency` is a version. */
  | { kind: 'registry'; dependency: string }
  /** The address of a package, such as a release on a web server. */
  | { kind: 'address'; dependency: string }
  /** A package in a file. */
  | { kind: 'file'; file: string }
  /** A checkout of the repository. */
  | { kind: 'directory'; directory: string };

const MODULES = 'node_modules';
/** The name of a copy of this program’s package. */
export const PACKAGE_FILE = `${PACKAGE}-${VERSION}.tgz`;
/** npm’s own record of what it installed: package paths, and where each came from. */
const RECORD = '.package-lock.json';
/** The path of a package on a registry. */
const REGISTRY_PATH = /\/-\/[^/]+\.tgz$/;

/**
 * Returns how the program was installed.
 * @param program directory of the program, which is below `node_modules` if npm installed it
 */
export function installedFrom(program: string): Source {
  const parts = program.split(sep);
  const at = parts.lastIndexOf(MODULES);
  if (at < 0) return { kind: 'directory', directory: program };
  const modules = parts.slice(0, at + 1).join(sep);
  const nameLength = parts[at + 1]?.startsWith('@') ? 2 : 1;
  const resolved = resolvedInRecord(join(modules, RECORD), parts.slice(at, at + 1 + nameLength).join('/'));
  if (resolved?.startsWith('file:')) {
    return { kind: 'file', file: resolve(dirname(modules), resolved.slice('file:'.length)) };
  }
  const isAddress = resolved !== undefined && /^https?:/.test(resolved) && !REGISTRY_PATH.test(resolved);
  return isAddress ? { kind: 'address', dependency: resolved } : { kind: 'registry', dependency: VERSION };
}

/** Returns where a package came from; undefined if npm did not record it, as other package managers. */
function resolvedInRecord(file: string, path: string): string | undefined {
  // Other package managers write none.
  const record = existsSync(file) ? tryParse(readFileSync(file, 'utf8')) : undefined;
  const packages = isObject(record) ? record['packages'] : undefined;
  const entry = isObject(packages) ? packages[path] : undefined;
  const resolved = isObject(entry) ? entry['resolved'] : undefined;
  return typeof resolved === 'string' ? resolved : undefined;
}

/** Returns the dependency on this program in a project’s package.json. A package in a file is copied into the project. */
export function dependencyOn(source: Source, project: string): string {
  if (source.kind === 'file') return `file:${PACKAGE_FILE}`;
  if (source.kind === 'directory') return `file:${relative(project, source.directory).split(sep).join('/')}`;
  return source.dependency;
}
