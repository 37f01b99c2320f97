/** Packs the source of this program into one file, so that a copy of an archive can still be read when the program cannot be downloaded any more. */
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack as createTar } from 'tar-stream';
import { VERSION } from '../model/version.ts';
import { listDirectoryEntries } from '../platform/directory-entries.ts';

/** Name of the file. */
export const SOURCE_FILE = 'microfiche-source.tar';

const PROGRAM_DIRECTORY = join(import.meta.dirname, '../..');
/** The files and directories of the program in its directory. Anything else there belongs to the operator. */
const PARTS = [
  ...['README.md', 'LICENSE', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'astro.config.mjs'],
  ...['.biome.json', '.ci', '.gitattributes', '.gitignore', '.npmrc'],
  ...['content/sample', 'docs', 'public', 'scripts', 'src', 'tests'],
];
const FILE_MODE = 0o644;
/** Seconds since 1970 are the same in each time zone. */
const TIME = new Date(Date.UTC(1985, 0, 1));

/**
 * Writes the source of this version as a TAR file. The same version gives the same bytes. The packages of others that it uses are not in it;
 * `package-lock.json` names them with their checksums.
 * @throws {Error} of the file system, for example if the disk is full.
 */
export async function writeProgramSource(file: string): Promise<void> {
  const tar = createTar();
  const written = pipeline(tar as unknown as Readable, createWriteStream(file, { flags: 'wx', flush: true }));
  written.catch(() => undefined); // reported at the end, or by the entry that could not be written
  const directory = `microfiche-${VERSION}/`;
  for (const path of listSource()) {
    const source = join(PROGRAM_DIRECTORY, path);
    const { size } = statSync(source);
    const header = { name: `${directory}${path}`, size, mode: FILE_MODE, mtime: TIME, uid: 0, gid: 0, uname: '', gname: '' };
    const entry = tar.entry(header);
    await Promise.race([pipeline(createReadStream(source), entry as unknown as NodeJS.WritableStream), written]);
  }
  tar.finalize();
  await written;
}

/** Returns the paths of the program's files, sorted. */
function listSource(): string[] {
  const paths = PARTS.flatMap((part) => {
    const path = join(PROGRAM_DIRECTORY, part);
    if (!existsSync(path)) return []; // a package of npm has fewer files than a checkout
    if (!statSync(path).isDirectory()) return [part];
    return [...listDirectoryEntries(path).files.keys()].map((below) => `${part}/${below}`);
  });
  return paths.sort((a, b) => (a < b ? -1 : 1));
}
