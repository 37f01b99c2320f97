/**
 * Patches: a file in parts, each compressed by Zstandard with the bytes at the same place of an earlier file as its dictionary.
 * So neither file is in memory as a whole.
 */
import { createWriteStream, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { UserError } from '../../model/errors.ts';
import { isRegularFile } from '../../platform/directory-entries.ts';
import type { SafeDirectory } from '../../platform/safe-directory.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { PATCH_DIRECTORY } from '../partial-copy.ts';
import { copyBytes } from './copied-files.ts';

/** A file may be so many times as large as its patch, and larger than the earlier file. */
const MAX_EXPANSION = 200;
const PART_BYTES = 4 * 1024 * 1024;
/** Bytes of the earlier file before and after a part that are in its dictionary. */
const MARGIN_BYTES = 6 * 1024 * 1024;
/** The size of the new file, and of each compressed part before it, in bytes: an unsigned integer, little endian. */
const SIZE_BYTES = 6;

/**
 * Writes the patch that makes the earlier file at `path` the file `target`. Returns false without an intact earlier file, or if
 * the patch would be more than half as large as the new one.
 */
export async function writePatch(
  { directory, checksums }: { directory: SafeDirectory; checksums: ReadonlyMap<string, string> },
  path: string,
  target: string,
  patch: string,
): Promise<boolean> {
  if (!isRegularFile(directory, path)) return false;
  const base = directory.resolve(path);
  if ((await sha256OfFile(base)) !== checksums.get(path)) return false;
  await pipeline(createPatch(base, target), createWriteStream(patch));
  const [size, baseSize, patchSize] = [target, base, patch].map((file) => statSync(file).size) as [number, number, number];
  return patchSize <= size / 2 && !expandsTooMuch(size, baseSize, patchSize);
}

/**
 * Writes over `target` what the patch of the update in a directory makes of the copy's file, whose SHA-256 is `base`, unless an
 * interrupted update has made it already.
 * @throws {UserError} if the copy's file is neither
 */
export async function writePatched(
  update: string,
  copy: SafeDirectory,
  { path, base, sha256 }: { path: string; base: string; sha256: string },
  target: string,
): Promise<void> {
  const file = copy.resolve(path);
  const current = await sha256OfFile(file);
  if (current === base) await applyPatch(file, join(update, PATCH_DIRECTORY, path), target);
  else if (current === sha256) await copyBytes(file, target);
  else throw new UserError(`${file} is corrupted. Repair the copy first, or use a whole copy instead of an update.`);
}

/** Yields the patch that makes the file `base` the file `target`. */
async function* createPatch(base: string, target: string): AsyncGenerator<Buffer> {
  await using earlier = await open(base);
  await using file = await open(target);
  const { size } = await file.stat();
  yield toBytes(size);
  for (let start = 0; start < size; start += PART_BYTES) {
    const part = await readAt(file, start, Math.min(PART_BYTES, size - start));
    const dictionary = await readNear(earlier, start / size);
    // With smaller hash tables, Zstandard finds little in the dictionary.
    const log = Math.max(10, Math.ceil(Math.log2(part.length + dictionary.length)));
    const params = { [constants.ZSTD_c_windowLog]: log, [constants.ZSTD_c_hashLog]: log, [constants.ZSTD_c_chainLog]: log };
    const compressed = zstdCompressSync(part, { dictionary, params });
    yield Buffer.concat([toBytes(compressed.length), compressed]);
  }
}

/** Whether a patch makes a larger file than another person's may. Sizes are in bytes. */
const expandsTooMuch = (size: number, baseSize: number, patchSize: number) => size > baseSize + patchSize * MAX_EXPANSION;

/**
 * Writes over `target` the file that a patch makes of the file `base`.
 * @throws {UserError} if the patch is damaged, or expands too much
 */
export async function applyPatch(base: string, patch: string, target: string): Promise<void> {
  try {
    await pipeline(readPatched(base, patch), createWriteStream(target));
  } catch (cause) {
    const { name, code = '', message } = cause as NodeJS.ErrnoException;
    if (name !== 'RangeError' && !/^(?:ZSTD_|ERR_BUFFER_TOO_LARGE)/.test(code)) throw cause;
    throw new UserError(`The patch ${patch} is damaged: ${message}. Get the update again.`, { cause });
  }
}

async function* readPatched(base: string, patch: string): AsyncGenerator<Buffer> {
  await using earlier = await open(base);
  await using file = await open(patch);
  const [{ size: baseSize }, { size: patchSize }] = [await earlier.stat(), await file.stat()];
  let position = 0;
  const readNext = async (length: number) => {
    if (length > 2 * PART_BYTES || position + length > patchSize) throw new RangeError('a part is incomplete');
    position += length;
    return await readAt(file, position - length, length);
  };
  const size = (await readNext(SIZE_BYTES)).readUIntLE(0, SIZE_BYTES);
  if (expandsTooMuch(size, baseSize, patchSize)) throw new RangeError('it expands too much');
  for (let start = 0; start < size; start += PART_BYTES) {
    const compressed = await readNext((await readNext(SIZE_BYTES)).readUIntLE(0, SIZE_BYTES));
    const dictionary = await readNear(earlier, start / size);
    yield zstdDecompressSync(compressed, { dictionary, maxOutputLength: PART_BYTES });
  }
}

/** Returns the bytes of the earlier file near a place, which is a fraction of its size. */
async function readNear(file: FileHandle, place: number): Promise<Buffer> {
  const { size } = await file.stat();
  const start = Math.max(0, Math.round(size * place) - MARGIN_BYTES);
  return await readAt(file, start, Math.min(PART_BYTES + 2 * MARGIN_BYTES, size - start));
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function toBytes(size: number): Buffer {
  const bytes = Buffer.alloc(SIZE_BYTES);
  bytes.writeUIntLE(size, 0, SIZE_BYTES);
  return bytes;
}
