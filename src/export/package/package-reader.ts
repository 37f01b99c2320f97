/**
 * Reads a package that anybody may have made: a directory, a ZIP or a TAR file. Every path is checked before it is used, links
 * and special files are refused, and nothing expands beyond its limits.
 */
import { closeSync, createReadStream, lstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract as readTar } from 'tar-stream';
import { openPromise as openZip, type Entry as ZipEntry } from 'yauzl';
import { UserError } from '../../model/errors.ts';
import { chunksBetween, chunksOfFile } from '../../platform/file-chunks.ts';
import { foldPath } from '../../platform/portability.ts';
import { pathTraversalProblem, toSafeDirectory, usingDescriptor } from '../../platform/safe-directory.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { walkDirectory } from '../../platform/walk.ts';

/** A file of a package. */
export interface PackageEntry {
  /** Relative to the package, with `/` as separator. It points nowhere else. */
  path: string;
  /** Bytes, as the package states. */
  size: number;
  /** Yields the content. It rejects if the content has another size. A chunk is only valid until the next one. */
  read(): AsyncGenerator<Uint8Array>;
}

/** A package cannot be used. The message says why, and names no more than it must. */
export class PackageError extends UserError {}

/** A compressed file that expands to more than this multiple is not read. Text in packages expands about ten times. */
export const MAX_EXPANSION = 200;
/** Files of a package. */
const MAX_ENTRIES = 20_000_000;
const SYMBOLIC_LINK = 0o120000;
const FILE_TYPE_BITS = 0o170000;
const REGULAR_FILE = 0o100000;

/** Gets each file of a package. It may return `stop` to read no further. */
export type Visit = (entry: PackageEntry) => Promise<'stop' | undefined>;

/**
 * Calls `visit` for each file of a package, one after the other. An entry can only be read during its visit.
 * @throws {PackageError} if the package is damaged or unsafe.
 */
export async function readPackage(path: string, visit: Visit): Promise<void> {
  const seen = new Set<string>();
  const checked = async (entry: PackageEntry) => {
    const name = foldPath(entry.path);
    if (seen.has(name)) throw new PackageError(`${toPrintable(path)} is damaged: it contains ${toPrintable(entry.path)} twice.`);
    if (seen.size >= MAX_ENTRIES) throw new PackageError(`${toPrintable(path)} contains more than ${MAX_ENTRIES} files.`);
    seen.add(name);
    return visit(entry);
  };
  const found = statSync(path, { throwIfNoEntry: false }); // the operator may name a link
  if (!found) throw new PackageError(`${toPrintable(path)} does not exist. Give the path of a package.`);
  try {
    if (found.isDirectory()) await readDirectory(path, checked);
    else if (!found.isFile())
      throw new PackageError(`${toPrintable(path)} is not a file or directory. Give the path of a package.`);
    else if (hasAt(path, 0, ZIP_MAGIC)) await readZip(path, checked);
    else if (hasAt(path, 257, 'ustar')) await readTarFile(path, checked);
    else
      throw new PackageError(`${toPrintable(path)} is not a package that Microfiche can read: not a directory, ZIP or TAR file.`);
  } catch (cause) {
    if (cause instanceof UserError || !(cause instanceof Error)) throw cause;
    // Errors of the file system have a code; those of the libraries that parse a package do not, or one of zlib.
    const { code = 'Z_' } = cause as { code?: unknown };
    if (!String(code).startsWith('Z_')) throw cause;
    throw new PackageError(`${toPrintable(path)} is damaged: ${cause.message.replace(/\.+$/, '')}.`, { cause });
  }
}

const ZIP_MAGIC = 'PK\u0003\u0004';

/** Whether a file has a text at a position. */
function hasAt(path: string, position: number, text: string): boolean {
  const bytes = Buffer.alloc(text.length);
  usingDescriptor(openSync(path, 'r'), (descriptor) => readSync(descriptor, bytes, { position }));
  return bytes.toString('latin1') === text;
}

function assertSafe(path: string, packagePath: string): void {
  const problem = pathTraversalProblem(path);
  if (problem !== undefined) throw new PackageError(`${toPrintable(packagePath)} is unsafe: ${toPrintable(path)}: ${problem}.`);
}

function refuse(path: string, packagePath: string, what: string): never {
  throw new PackageError(`${toPrintable(packagePath)} is unsafe: ${toPrintable(path)} is ${what}, and packages have only files.`);
}

async function readDirectory(directory: string, visit: Visit): Promise<void> {
  const safeDir = toSafeDirectory(directory);
  for (const [path, entry] of walkDirectory(directory)) {
    assertSafe(path, directory);
    const size = entry.isFile() ? safeDir.stat(path)?.size : undefined;
    if (size === undefined) refuse(path, directory, 'a link or a special file');
    if ((await visit({ path, size, read: () => exactly(chunksOfFile(safeDir.resolve(path)), path, size) })) === 'stop') return;
  }
}

async function readZip(file: string, visit: Visit): Promise<void> {
  const zip = await openZip(file, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true });
  using closing = new DisposableStack();
  closing.defer(() => zip.close());
  const handle = closing.adopt(openSync(file, 'r'), closeSync);
  let end = 0;
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName;
    const isDirectory = path.endsWith('/');
    assertSafe(isDirectory ? path.slice(0, -1) : path, file);
    const start = checkLocalHeader(handle, entry, end, file);
    end = start + entry.compressedSize;
    if (isDirectory) continue;
    if (entry.isEncrypted()) refuse(path, file, 'encrypted');
    const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_BITS;
    if (type !== 0 && type !== REGULAR_FILE) refuse(path, file, type === SYMBOLIC_LINK ? 'a symbolic link' : 'a special file');
    const { compressedSize, uncompressedSize: size, compressionMethod } = entry;
    const contentEnd = end;
    if (size > Math.max(compressedSize, 1024) * MAX_EXPANSION)
      throw new PackageError(
        `${toPrintable(file)} is unsafe: ${toPrintable(path)} expands to more than ${MAX_EXPANSION} times its size.`,
      );
    const read = async function* () {
      const isStored = compressionMethod === 0;
      yield* exactly(isStored ? chunksBetween(handle, start, contentEnd) : await zip.openReadStreamPromise(entry), path, size);
    };
    if ((await visit({ path, size, read })) === 'stop') return;
  }
}

/** The header before the content of a ZIP entry: its bytes without the name, and the offsets of fields. */
const LOCAL_HEADER = { bytes: 30, method: 8, nameLength: 26, extraLength: 28 } as const;

/**
 * Compares an entry with the header before its content, which other programs may believe instead. Returns where the content
 * begins.
 * @throws {PackageError} if they differ, or the entry is not after `previousEnd`: entries that share their content can expand to
 * any size.
 */
function checkLocalHeader(handle: number, entry: ZipEntry, previousEnd: number, file: string): number {
  const { relativeOffsetOfLocalHeader: start, fileNameRaw: name, compressionMethod } = entry;
  const header = Buffer.alloc(LOCAL_HEADER.bytes + name.length);
  const isWhole = readSync(handle, header, 0, header.length, start) === header.length;
  const isSame =
    isWhole &&
    header.toString('latin1', 0, ZIP_MAGIC.length) === ZIP_MAGIC &&
    header.readUInt16LE(LOCAL_HEADER.method) === compressionMethod &&
    header.readUInt16LE(LOCAL_HEADER.nameLength) === name.length &&
    header.subarray(LOCAL_HEADER.bytes).equals(name);
  const what = toPrintable(entry.fileName);
  if (!isSame)
    throw new PackageError(
      `${toPrintable(file)} is damaged: the list of its entries describes ${what} in another way than the entry.`,
    );
  if (start < previousEnd) throw new PackageError(`${toPrintable(file)} is unsafe: ${what} overlaps with another entry.`);
  return start + header.length + header.readUInt16LE(LOCAL_HEADER.extraLength);
}

async function readTarFile(file: string, visit: Visit): Promise<void> {
  const tar = readTar();
  const reading = pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), tar);
  reading.catch(() => undefined); // awaited below
  for await (const entry of tar) {
    const { name, type, size = 0 } = entry.header;
    const path = name.replace(/^(?:\.\/)+/, ''); // "tar cf x.tar ." writes ./ before each name
    if (type === 'directory') {
      entry.resume();
      continue;
    }
    assertSafe(path, file);
    if (type !== 'file') refuse(path, file, type === 'symlink' || type === 'link' ? 'a link' : 'a special file');
    if ((await visit({ path, size, read: () => exactly(entry, path, size) })) === 'stop') {
      tar.destroy();
      return;
    }
    entry.resume();
  }
  await reading;
}

/** Yields the chunks of a file, which must have the stated size together. */
async function* exactly(
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  path: string,
  size: number,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of chunks) {
    read += (chunk as Uint8Array).length;
    if (read > size) break;
    yield chunk as Uint8Array;
  }
  if (read !== size) throw new PackageError(`${toPrintable(path)} does not have the ${size} bytes that its package states.`);
}

/** Returns the bytes of a package as it is stored; 0 if there is none. */
export function sizeOfPackage(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  let total = 0;
  for (const [name] of walkDirectory(path)) total += lstatSync(join(path, name)).size;
  return total;
}
