/** Finds the file of a program in the directories of PATH, as a shell does. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the file that starts `name`; undefined if there is none. `more` lists directories to search after those of PATH. */
export function findProgram(name: string, more: readonly string[] = []): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
  const files = [...directories, ...more].flatMap((directory) => [join(directory, name), join(directory, `${name}.exe`)]);
  return files.find(isProgram);
}

/** Returns whether this user may run the file. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile(); // directories may have the executable bit too
  } catch {
    return false; // it does not exist, or this user may not run it
  }
}
