/**
 * Writes the update of a bag: its tag files, and only the payload files that differ from an earlier bag, as patches if that bag
 * is at hand. The manifests are those of the whole bag.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../model/errors.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { writePatch } from '../../publish/copies/patch.ts';
import { LEFT_OUT_FILE, PATCH_DIRECTORY, PATCHED_FILE } from '../../publish/partial-copy.ts';
import { BAG_DIGESTS, createDigest, type Digest } from '../digest.ts';
import { readChecksums } from '../own-files.ts';
import { formatManifest, type PackagedFile } from '../package/manifest.ts';
import { type Content, readContent } from '../package/package-content.ts';
import type { FileWriter } from '../package/package-writer.ts';

/** Smaller files are not patched. */
const MIN_PATCHED_BYTES = 16 * 1024;

/**
 * Opens a writer that leaves out what the bag with the manifest `since` has. `root` is the directory of the bag in the package.
 * @throws {UserError} if that is not the manifest of a bag
 */
export async function openUpdate(writer: FileWriter, root: string, since: string) {
  const before = existsSync(since) ? await readChecksums(dirname(since), basename(since)) : new Map();
  if (![...before.keys()].some((path) => path.startsWith('data/')))
    throw new UserError(`${since} is not the manifest of a bag. Name its file manifest-sha256.txt.`);
  const earlierBag = { directory: toSafeDirectory(dirname(since)), checksums: before };
  const leftOut: PackagedFile[] = [];
  const patched: PackagedFile[] = [];
  let [files, bytes] = [0, 0];
  const write = async (path: string, content: Content) => {
    const digest = await writer.add(`${root}${path}`, content);
    files++;
    bytes += digest.size;
    return digest;
  };

  const addNext = async (path: string, content: Content): Promise<Digest> => {
    const earlier = path.startsWith('data/') ? before.get(path) : undefined;
    if (earlier === undefined) return await write(path, content);
    const computing = createDigest(BAG_DIGESTS);
    for await (const _ of readContent(content, computing.update));
    const digest = computing.digest();
    if (digest.checksums['sha256'] !== earlier && !(await addPatch(path, content, digest.size)))
      return await write(path, content);
    leftOut.push({ path, digest });
    return digest;
  };

  /** Adds a patch for a file. Returns false if the file has to be written. */
  async function addPatch(path: string, content: Content, size: number): Promise<boolean> {
    if (size < MIN_PATCHED_BYTES) return false;
    const [target, patch] = ['file', 'patch'].map((name) => join(writer.workDirectory, name)) as [string, string];
    const isFile = !(content instanceof Uint8Array) && 'file' in content;
    if (!isFile)
      await writeFile(
        target,
        readContent(content, () => undefined),
      );
    if (!(await writePatch(earlierBag, path, isFile ? content.file : target, patch))) return false;
    await write(`${PATCH_DIRECTORY}${path}`, { file: patch });
    patched.push({ path, digest: { size, checksums: { sha256: before.get(path) } } });
    return true;
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    workDirectory: writer.workDirectory,
    add(path: string, content: Content): Promise<Digest> {
      const added = last.then(() => addNext(path.slice(root.length), content));
      last = added.catch(() => undefined); // the caller gets the error
      return added;
    },
    /** Adds the lists of what is left out, and of the files to which the patches apply. Returns numbers of what was written. */
    async finish() {
      await write(LEFT_OUT_FILE, Buffer.from(formatManifest(leftOut, 'sha256')));
      await write(PATCHED_FILE, Buffer.from(formatManifest(patched, 'sha256')));
      return { files, bytes };
    },
  };
}
