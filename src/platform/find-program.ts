/** Finds a program's file as a shell does: in the directories of PATH. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file that starts `name`; undefined if there is none. `more` names directories to search after those of PATH. */
export function findProgram(name: string, more: readonly string[] = []): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
  const files = [...directories, ...more].flatMap((directory) => [join(directory, name), join(directory, `${name}.exe`)]);
  return files.find(isProgram);
}

/** Whether this user may run the file. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile(); // a directory may be “run” too
  } catch {
    return false; // it does not exist, or this user may not run it
  }
}
