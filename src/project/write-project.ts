/** Writes the files of a new project into a directory that has no files of anything else. */
import { constants, copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { UserError } from '../model/errors.ts';
import { isObject } from '../model/values.ts';
import { createDirectories } from '../platform/create-directory.ts';
import { attempt } from '../platform/expected-errors.ts';
import { listNames } from '../platform/text-lines.ts';
import type { Manifest } from './package-manifest.ts';

const MAX_LISTED = 10;
const MANIFEST = 'package.json';
/** What a directory may have before: a Git repository without files, and what `npm install` writes. */
const ALLOWED: ReadonlySet<string> = new Set(['.git', MANIFEST, 'package-lock.json', 'node_modules']);

/**
 * Checks that a directory does not exist, or has nothing but `ALLOWED`. Returns its package.json.
 * @throws {UserError} that lists what else it has
 */
export function readEmptyProject(directory: string): Manifest | undefined {
  const stat = statSync(directory, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isDirectory()) throw new UserError(`${directory} is a file. Choose a directory for the project.`);
  const names = readdirSync(directory);
  const found = names.filter((name) => !ALLOWED.has(name));
  if (found.length === 0) return names.includes(MANIFEST) ? readManifest(join(directory, MANIFEST)) : undefined;
  throw new UserError(
    `${directory} is not empty, and nothing was written. It contains ${listNames(found, MAX_LISTED)}. Choose an empty directory.`,
  );
}

function readManifest(file: string): Manifest {
  const value = attempt(() => JSON.parse(readFileSync(file, 'utf8')) as unknown);
  if (!isObject(value)) throw new UserError(`${file} is not a JSON object, and nothing was written. Correct or delete it.`);
  return value;
}

/**
 * Writes the files, and replaces none but a package.json, which is written last. If one cannot be written, those before it are
 * deleted.
 * @throws {Error} of the file system
 */
export function writeProject(
  directory: string,
  { texts, copies }: { texts: ReadonlyMap<string, string>; copies: ReadonlyMap<string, string> },
): void {
  using undo = new DisposableStack();
  const add = (path: string, write: (file: string) => void) => {
    const file = join(directory, path);
    createDirectories(dirname(file));
    write(file);
    undo.defer(() => rmSync(file, { force: true }));
  };
  for (const [path, text] of texts) if (path !== MANIFEST) add(path, (file) => writeFileSync(file, text, { flag: 'wx' }));
  for (const [path, from] of copies) add(path, (file) => copyFileSync(from, file, constants.COPYFILE_EXCL));
  writeFileAtomic.sync(join(directory, MANIFEST), texts.get(MANIFEST) ?? '');
  undo.move();
}
