/** Keeps what is made once for a version of the program, for all builds of it. */
import { createHash, hash } from 'node:crypto';
import * as fs from 'node:fs';
import { join, sep } from 'node:path';
import { isMissing, undefinedIf } from '../../platform/expected-errors.ts';
import { lazy } from '../../platform/lazy.ts';
import { PROGRAM } from '../../platform/module-file.ts';
import { cacheDirectory } from '../../platform/user-state.ts';
import { listFiles } from '../../snapshot/directory-files.ts';

/**
 * Builds run the code that is here, so it is not among the caches of a project, which may be restored from elsewhere. A checkout
 * has one for all its builds; an npm package must not be written to.
 */
const CACHE = PROGRAM.split(sep).includes('node_modules')
  ? join(cacheDirectory(), 'program')
  : join(PROGRAM, 'node_modules/.cache/microfiche-program');
/** In each directory: the sizes of its files by path, because a computer that loses power may leave empty ones. */
const SIZES_FILE = 'sizes.json';
const DAY_MS = 86_400_000;

/**
 * Returns a directory with what `make` writes into it. Calls `make` if this version of the program has not yet with this key, or
 * if the directory is damaged.
 */
export async function openMade(key: unknown, make: (directory: string) => Promise<void>): Promise<string> {
  const directory = directoryOf(key);
  fs.mkdirSync(CACHE, { recursive: true });
  if (fs.existsSync(directory)) {
    const sizes = join(directory, SIZES_FILE);
    if (fs.existsSync(sizes) && fs.readFileSync(sizes, 'utf8') === sizesIn(directory)) noteUse(directory);
    else fs.rmSync(directory, { recursive: true, force: true });
  }
  deleteUnused(Date.now());
  if (!fs.existsSync(directory)) await createInto(directory, make);
  return directory;
}

/** Returns the path of the file for a note about what `openMade` has made. It is deleted if it was not written for a day. */
export const noteFile = (key: unknown): string => `${directoryOf(key)}.note`;

const directoryOf = (key: unknown): string => join(CACHE, hash('sha256', JSON.stringify([hashOfProgram(), key])).slice(0, 32));

/** Returns the files in such a directory, as `[path below it, path on disk]`. */
export function listMade(directory: string): Array<[path: string, file: string]> {
  return listFiles(directory).filter(([path]) => path !== SIZES_FILE);
}

async function createInto(directory: string, make: (directory: string) => Promise<void>): Promise<void> {
  using temporary = fs.mkdtempDisposableSync(join(CACHE, 'draft-'));
  const draft = temporary.path;
  await make(draft);
  fs.writeFileSync(join(draft, SIZES_FILE), sizesIn(draft));
  try {
    fs.renameSync(draft, directory);
  } catch (error) {
    if (!fs.existsSync(directory)) throw error; // another build has made the same one meanwhile
  }
}

function sizesIn(directory: string): string {
  return JSON.stringify(listMade(directory).map(([path, file]) => [path, fs.statSync(file).size]));
}

function noteUse(directory: string): void {
  const now = new Date();
  undefinedIf(isMissing, () => fs.utimesSync(directory, now, now)); // another build may have deleted it, and it is made again
}

/** Deletes what was not used for a day, of other versions or of builds that were interrupted. */
function deleteUnused(now: number): void {
  for (const name of fs.readdirSync(CACHE)) {
    const stats = fs.statSync(join(CACHE, name), { throwIfNoEntry: false });
    if (stats && now - stats.mtimeMs > DAY_MS) fs.rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}

/** Returns a hash of the program: its files, its packages, and the version of Node. It does not change while it runs. */
export const hashOfProgram = lazy(() => {
  const program = createHash('sha256').update(process.version);
  const others = ['package-lock.json', 'astro.config.mjs'].map((name) => [name, join(PROGRAM, name)] as const);
  const code = [...listFiles(join(PROGRAM, 'src')), ...listFiles(join(PROGRAM, 'public')), ...others];
  // A copy for development may lack some.
  for (const [, file] of code) if (fs.existsSync(file)) program.update(fs.readFileSync(file));
  return program.digest('hex');
});
