/** What a bundle with own components says of them: what they add to the site, and the files that they are made from. */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** In the directory of a bundle. */
const PARTS_FILE = 'components.json';
/** In the directory of a bundle: the script of its components. The site has it under the same name. */
export const SCRIPT_FILE = 'own-components.js';

/** What a bundle says of own components. */
export interface BundledParts {
  /** What they add to the style sheet. */
  css: string;
  hasScript: boolean;
  /** The files on the disk that they are made from, apart from those of the program. */
  files: string[];
  /** Hash of the files when the bundle was made. */
  hash: string;
}

/** Writes what own components are made from into the directory of their bundle. `directory` is that of the configuration. */
export function writeParts(bundle: string, directory: string, parts: Omit<BundledParts, 'hash'>): void {
  const content: BundledParts = { ...parts, hash: hashOfFiles(directory, parts.files) };
  writeFileSync(join(bundle, PARTS_FILE), JSON.stringify(content));
}

/** Reads what the bundle in a directory says of own components. */
export function readParts(bundle: string): BundledParts {
  return JSON.parse(readFileSync(join(bundle, PARTS_FILE), 'utf8')) as BundledParts;
}

/** Returns the path of a file relative to a directory, with slashes, if it is below it. */
export function pathFrom(directory: string, file: string): string {
  return (file.startsWith(directory + sep) ? file.slice(directory.length + 1) : file).replaceAll(sep, '/');
}

/** Returns a hash of files and of their paths relative to a directory. */
export function hashOfFiles(directory: string, files: readonly string[]): string {
  const hashes = files.map((file) => [pathFrom(directory, file), existsSync(file) ? hash('sha256', readFileSync(file)) : 'none']);
  return hash('sha256', JSON.stringify(hashes));
}
