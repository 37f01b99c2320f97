/** Writes the files of a new project into an empty directory. */
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../model/errors.ts';
import { createDirectories } from '../platform/create-directory.ts';
import { toPrintable } from '../platform/text-lines.ts';

const MAX_LISTED = 10;

/**
 * Checks that a directory does not exist, or has nothing but a Git repository without files.
 * @throws {UserError} that lists what it has
 */
export function assertEmptyDirectory(directory: string): void {
  const stat = statSync(directory, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) throw new UserError(`${directory} is a file. Choose a directory for the project.`);
  const found = readdirSync(directory)
    .filter((name) => name !== '.git')
    .sort();
  if (found.length === 0) return;
  const listed = found.slice(0, MAX_LISTED).map((name) => toPrintable(name, 100));
  const more = found.length > MAX_LISTED ? ` and ${found.length - MAX_LISTED} more` : '';
  throw new UserError(
    `${directory} is not empty, and nothing was written. It contains ${listed.join(', ')}${more}. Choose an empty directory.`,
  );
}

/**
 * Writes the files, and never replaces one. If one cannot be written, those before it are deleted.
 * @throws {Error} of the file system
 */
export function writeProject(directory: string, files: ReadonlyMap<string, string>): void {
  const written: string[] = [];
  try {
    for (const [path, text] of files) {
      const file = join(directory, path);
      createDirectories(dirname(file));
      writeFileSync(file, text, { flag: 'wx' });
      written.push(file);
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    throw error;
  }
}
