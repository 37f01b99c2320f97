/** `public/licenses.txt`: the licenses of packages whose code or data every site contains. Each copy must have their notices. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LIBRARIES } from '../../src/build/astro/assets.ts';
import { listFiles } from '../../src/snapshot/directory-files.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The file, which builds copy into every site. */
export const LICENSES = join(ROOT, 'public/licenses.txt');
/** Packages that scripts of pages do not import: files that builds copy, and the outlines of maps. */
const OTHER_PACKAGES = [...Object.values(LIBRARIES).map((path) => path.split('/')[0] as string), 'world-atlas'];
/** An import of a package, not of a type. */
const PACKAGE_IMPORT = /(?:^import (?!type )[^;]*?from |\bimport\()'((?:@[a-z][\w-]*\/)?[a-z][\w-]*)[/']/gm;
/** A package has its license in a file, or in a directory. */
const LICENSE_FILE = /^licen[cs]e(?:\.[a-z]+)?(?:\/[^/]+)?$/i;
const INTRODUCTION = `Licenses of the software in this site
=====================================

The pages, styles and scripts are made by Microfiche. The records belong to the archive: each page has their rights.
The site also contains code or data of these packages, unchanged or made smaller:
`;

/** Returns the text of the file. */
export function licensesText(): string {
  const packages = shippedPackages().map(readPackage);
  const list = packages.map(({ name, version, license }) => `- ${name} ${version} (${license})`).join('\n');
  const own = section('Microfiche', readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  const others = packages.map(({ name, text }) => section(name, text));
  return `${INTRODUCTION}\n${list}\n\n${[own, ...others].join('\n')}`;
}

/** Returns the packages whose code or data is in sites, in alphabetical order. */
export function shippedPackages(): string[] {
  const imported = ['src/reader', 'src/formats']
    .flatMap((directory) => [...listFiles(join(ROOT, directory))])
    .filter(([path]) => path.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(path))
    .flatMap(([, file]) => [...readFileSync(file, 'utf8').matchAll(PACKAGE_IMPORT)].map(([, name = '']) => name));
  return [...new Set([...imported, ...OTHER_PACKAGES].flatMap((name) => [name, ...dependenciesOf(name)]))].sort();
}

function dependenciesOf(name: string): string[] {
  const { dependencies = {} } = readManifest(name);
  return Object.keys(dependencies).flatMap((dependency) => [dependency, ...dependenciesOf(dependency)]);
}

interface Manifest {
  version: string;
  license: string;
  dependencies?: Record<string, string>;
}

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(directoryOf(name), 'package.json'), 'utf8')) as Manifest;
}

function readPackage(name: string): Manifest & { name: string; text: string } {
  const directory = directoryOf(name);
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && LICENSE_FILE.test(relative(directory, join(entry.parentPath, entry.name))),
  );
  if (files.length === 0) throw new Error(`The package ${name} has no file with its license.`);
  return {
    ...readManifest(name),
    name,
    text: files.map(({ parentPath, name: file }) => readFileSync(join(parentPath, file), 'utf8').trim()).join('\n\n'),
  };
}

const directoryOf = (name: string) => join(ROOT, 'node_modules', name);

function section(title: string, text: string): string {
  const lines = text.replaceAll('\r\n', '\n').trim();
  return `\n${title}\n${'-'.repeat(title.length)}\n\n${lines}\n`;
}
