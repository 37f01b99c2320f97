/** Finds files that others added to the directory of an export, so that the next export does not delete them. */
import { createReadStream, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemPath } from '../platform/system-files.ts';
import { walkDirectory } from '../platform/walk.ts';
import { createManifestParser, formatManifest, type PackagedFile } from './package/manifest.ts';
import type { FileWriter } from './package/package-writer.ts';

/** The list of the other files, in the form of a bag's manifest: the paths of some formats depend on the archive. */
export const FILE_LIST = 'manifest-sha256.txt';

/** Returns whether a format writes a file with this path, relative to the directory. */
export type IsOwnFile = (path: string) => boolean;

/** Adds the list of the other files, all in the package's directory `root`. Returns the count with it, and their bytes. */
export async function addFileList(
  writer: FileWriter,
  root: string,
  others: readonly PackagedFile[],
): Promise<{ files: number; bytes: number }> {
  const { size } = await writer.add(`${root}${FILE_LIST}`, Buffer.from(formatManifest(others, 'sha256')));
  return { files: others.length + 1, bytes: others.reduce((total, { digest }) => total + digest.size, size) };
}

/** Returns which files an export with such a list wrote into a directory. */
export async function readFileList(directory: string): Promise<IsOwnFile> {
  const listed = await readChecksums(directory, FILE_LIST);
  return (path) => path === FILE_LIST || listed.has(path);
}

/** Returns the checksums in a manifest of a directory, by path. A manifest that is missing or damaged has none. */
export async function readChecksums(directory: string, manifest: string): Promise<Map<string, string>> {
  if (!lstatSync(join(directory, manifest), { throwIfNoEntry: false })?.isFile()) return new Map();
  const parser = createManifestParser();
  for await (const text of createReadStream(join(directory, manifest), 'utf8')) parser.add(text as string);
  return parser.finish() ?? new Map();
}

/** Returns the first path, by name, of a file or link that a format did not write; undefined if there is none. */
export function findForeignFile(directory: string, isOwnFile: IsOwnFile): string | undefined {
  let first: string | undefined;
  for (const [path, entry] of walkDirectory(directory))
    if (!(entry.isFile() && (isOwnFile(path) || isSystemPath(path))) && (first === undefined || path < first)) first = path;
  return first;
}
