/** Packs this program's source into one file, so that a copy of an archive can be read when it is no longer downloadable. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../model/errors.ts';
import { VERSION } from '../model/version.ts';
import { listDirectoryEntries } from '../platform/directory-entries.ts';
import { openTar } from '../platform/tar-file.ts';

/** Name of the file. */
export const SOURCE_FILE = 'microfiche-source.tar';

const PROGRAM_DIRECTORY = join(import.meta.dirname, '../..');
/** The files and directories of the program in its directory. Anything else there belongs to the operator. */
const PARTS = [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'astro.config.mjs',
  'CITATION.cff',
  'codemeta.json',
  '.biome.json',
  '.ci',
  '.editorconfig',
  '.gitattributes',
  '.gitignore',
  '.npmrc',
  'content/sample',
  'docs',
  'public',
  'scripts',
  'src',
  'tests',
];

/** What the set-up and commands write beside the sample. */
const MADE = /^content\/sample\/[^/]*(?:\.sqlite[^/]*|withholding\.json)$/;

/**
 * Writes the source of this version as a TAR file. The same version gives the same bytes. The packages of others that it uses are
 * not in it; `package-lock.json` names them with their checksums.
 * @throws {UserError} if this program is the package of npm, which lacks the source
 * @throws {Error} of the file system, for example if the disk is full
 */
export async function writeProgramSource(file: string): Promise<void> {
  if (!existsSync(join(PROGRAM_DIRECTORY, 'package-lock.json')))
    throw new UserError('The package of npm does not contain its source. For --with-source, run Microfiche in its repository.');
  using tar = openTar(file);
  for (const path of listSource()) {
    const source = join(PROGRAM_DIRECTORY, path);
    const bytes = readFileSync(source);
    await tar.add(`microfiche-${VERSION}/${path}`, bytes.length, [bytes]);
  }
  await tar.finish();
}

/** Returns the paths of the program's files, sorted. */
function listSource(): string[] {
  const paths = PARTS.flatMap((part) => {
    const path = join(PROGRAM_DIRECTORY, part);
    if (!existsSync(path)) return []; // a package of npm has fewer files than a checkout
    if (!statSync(path).isDirectory()) return [part];
    return [...listDirectoryEntries(path).files.keys()].map((below) => `${part}/${below}`).filter((each) => !MADE.test(each));
  });
  return paths.sort((a, b) => (a < b ? -1 : 1));
}
