/**
 * Patches: a file in parts, each compressed by Zstandard with the bytes at the same place of an earlier file as its dictionary.
 * So neither file is in memory as a whole.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MAX_EXPANSION, PackageError } from '../package/package-reader.ts';

const PART_BYTES = 4 * 1024 * 1024;
/** Bytes of the earlier file before and after a part that are in its dictionary. */
const MARGIN_BYTES = 6 * 1024 * 1024;
/** With smaller hash tables, Zstandard finds little in such a dictionary. */
const PARAMETERS = {
  [constants.ZSTD_c_windowLog]: 25,
  [constants.ZSTD_c_hashLog]: 24,
  [constants.ZSTD_c_chainLog]: 24,
};
/** The size of the new file, and of each compressed part before it, in bytes: an unsigned integer, little endian. */
const SIZE_BYTES = 6;

/** Yields the patch that makes the file `base` the file `target`. */
export async function* createPatch(base: string, target: string): AsyncGenerator<Buffer> {
  await using earlier = await open(base);
  await using file = await open(target);
  const { size } = await file.stat();
  yield toBytes(size);
  for (let start = 0; start < size; start += PART_BYTES) {
    const part = await readAt(file, start, Math.min(PART_BYTES, size - start));
    const compressed = zstdCompressSync(part, { dictionary: await readNear(earlier, start / size), params: PARAMETERS });
    yield Buffer.concat([toBytes(compressed.length), compressed]);
  }
}

/** Whether a patch makes a larger file than may come from a package. Sizes are in bytes. */
export function expandsTooMuch({ size, baseSize, patchSize }: Record<'size' | 'baseSize' | 'patchSize', number>): boolean {
  return size > baseSize + patchSize * MAX_EXPANSION;
}

/**
 * Yields the file that a patch makes of the file `base`.
 * @throws {PackageError} if the patch is damaged, or expands more than a package may
 */
export async function* applyPatch(base: string, patch: string): AsyncGenerator<Buffer> {
  await using earlier = await open(base);
  await using file = await open(patch);
  const [{ size: baseSize }, { size: patchSize }] = [await earlier.stat(), await file.stat()];
  let position = 0;
  const readNext = async (length: number) => {
    if (length > 2 * PART_BYTES || position + length > patchSize) throw new PackageError('a part is incomplete');
    position += length;
    return await readAt(file, position - length, length);
  };
  const size = (await readNext(SIZE_BYTES)).readUIntLE(0, SIZE_BYTES);
  if (expandsTooMuch({ size, baseSize, patchSize })) throw new PackageError('it expands too much');
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
