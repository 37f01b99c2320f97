/** Executes the commands of a disk thread: hashes, writes and syncs files, each independently of the others. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fdatasync, ftruncateSync, openSync, read, writevSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Algorithm, Measured } from '../model/media/fixity.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { type PostedError, toPostedError } from '../platform/thread-calls.ts';

/** The synced beginning of a file: its first `size` bytes, with their SHA-256. */
export interface Checkpoint {
  /** In bytes. */
  size: number;
  sha256: string;
}

/** A command of the main thread for one file. Commands for the same file are executed in order. */
export type DiskCommand = { file: number } & (
  | { does: 'open'; path: string; algorithms: Algorithm[] }
  | { does: 'resume'; checkpoint: Checkpoint; maxBytes: number }
  | { does: 'append'; chunks: Uint8Array<ArrayBuffer>[] }
  | { does: 'reset' | 'finish' | 'suspend' | 'close' }
);

/** The reply of a disk thread about one file. */
export interface DiskReply {
  file: number;
  /** Bytes that an earlier run wrote and this one continues with. */
  resumed?: number;
  /** Bytes that were written since the last reply. */
  written?: number;
  checkpoint?: Checkpoint;
  /** The file is closed. `measured` is set if it is complete. */
  ended?: { measured?: Measured & { sha256: string } };
  failure?: PostedError;
}

/** Bytes, and milliseconds, after which written bytes are synced. A crash loses at most that much of a download. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
const CHECKPOINT_INTERVAL_MS = 5_000;
/** Bytes per read. */
const CHUNK_BYTES = 1024 * 1024;

const sync = promisify(fdatasync);
const readAt = promisify(read);

interface OpenFile {
  path: string;
  algorithms: Algorithm[];
  descriptor: number | undefined;
  hasher: ReturnType<typeof createHasher>;
  /** Bytes that the last checkpoint covers, and when its sync started (`performance.now()`). */
  checkpointedBytes: number;
  checkpointedAt: number;
  /** The sync in progress; the next one starts after it. */
  syncing: Promise<void> | undefined;
}

/** Returns a function that executes commands for files below the directory `root`. Results and errors are passed to `reply`. */
export function createDiskWorker(root: string, reply: (message: DiskReply) => void): (command: DiskCommand) => void {
  const safeDir = toSafeDirectory(root);
  const files = new Map<number, OpenFile>();

  function fail(id: number, error: unknown): void {
    const descriptor = files.get(id)?.descriptor;
    files.delete(id);
    if (descriptor !== undefined) closeSync(descriptor);
    reply({ file: id, failure: toPostedError(error) });
  }

  function checkpoint(id: number, file: OpenFile): void {
    const { descriptor, hasher } = file;
    const reached: Checkpoint = { size: hasher.size(), sha256: hasher.sha256SoFar().digest('hex') };
    file.checkpointedBytes = reached.size;
    file.checkpointedAt = performance.now();
    file.syncing = sync(descriptor as number).then(
      () => {
        file.syncing = undefined;
        if (file.hasher === hasher && files.get(id) === file) reply({ file: id, checkpoint: reached });
      },
      (error: unknown) => fail(id, error),
    );
  }

  function append(id: number, file: OpenFile, chunks: Uint8Array<ArrayBuffer>[]): void {
    file.descriptor ??= createFile(safeDir, file.path);
    const at = file.hasher.size();
    for (const chunk of chunks) file.hasher.update(chunk);
    writeAll(file.descriptor, chunks, at);
    // Release the memory at once: leaving it to the garbage collector costs more than copying the chunks would.
    for (const { buffer } of chunks) buffer.transfer(0);
    reply({ file: id, written: file.hasher.size() - at });
    const unsynced = file.hasher.size() - file.checkpointedBytes;
    const due =
      unsynced >= CHECKPOINT_BYTES || (unsynced > 0 && performance.now() - file.checkpointedAt >= CHECKPOINT_INTERVAL_MS);
    if (due && file.syncing === undefined) checkpoint(id, file);
  }

  async function end(id: number, file: OpenFile, isComplete: boolean): Promise<void> {
    if (isComplete) file.descriptor ??= createFile(safeDir, file.path);
    await file.syncing;
    if (files.get(id) !== file) return; // the sync failed, and that was reported
    const { descriptor, hasher } = file;
    if (descriptor !== undefined) {
      await sync(descriptor);
      file.descriptor = undefined;
      closeSync(descriptor);
    }
    files.delete(id);
    if (!isComplete && descriptor !== undefined)
      reply({ file: id, checkpoint: { size: hasher.size(), sha256: hasher.sha256SoFar().digest('hex') } });
    reply({ file: id, ended: isComplete ? { measured: hasher.finish() } : {} });
  }

  async function resume(id: number, file: OpenFile, from: Checkpoint, maxBytes: number): Promise<void> {
    const reopened = await reopen(safeDir, file, from, maxBytes);
    if (reopened) {
      file.descriptor = reopened.descriptor;
      file.hasher = reopened.hasher;
      file.checkpointedBytes = reopened.hasher.size();
    } else safeDir.delete(file.path);
    reply({ file: id, resumed: file.hasher.size() });
  }

  function execute(command: DiskCommand): void | Promise<void> {
    const id = command.file;
    if (command.does === 'open') {
      const { path, algorithms } = command;
      const checkpoint = { checkpointedBytes: 0, checkpointedAt: performance.now(), syncing: undefined };
      files.set(id, { path, algorithms, descriptor: undefined, hasher: createHasher(algorithms), ...checkpoint });
      return;
    }
    const file = files.get(id);
    if (file === undefined) return; // it failed, and that was reported
    switch (command.does) {
      case 'append':
        return append(id, file, command.chunks);
      case 'resume':
        return resume(id, file, command.checkpoint, command.maxBytes);
      case 'reset':
        if (file.descriptor !== undefined) ftruncateSync(file.descriptor, 0);
        file.hasher = createHasher(file.algorithms);
        file.checkpointedBytes = 0;
        return;
      case 'close':
        files.delete(id);
        if (file.descriptor !== undefined) closeSync(file.descriptor);
        return reply({ file: id, ended: {} });
      default:
        return end(id, file, command.does === 'finish');
    }
  }

  return (command) => {
    try {
      execute(command)?.catch((error: unknown) => fail(command.file, error));
    } catch (error) {
      fail(command.file, error);
    }
  };
}

/**
 * Creates a file. Tries the fewest system calls first: usually its directory exists and the file does not.
 * @throws {UnsafePathError} if the path leads out of the directory
 */
function createFile(safeDir: SafeDirectory, path: string): number {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    return openSync(safeDir.resolve(path), flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof UnsafePathError || code === 'ENOENT' || code === 'EEXIST') return safeDir.create(path);
    throw error;
  }
}

/** Opens and hashes the partial file of an earlier run. Returns undefined if its bytes do not match the checkpoint. */
async function reopen(safeDir: SafeDirectory, { path, algorithms }: OpenFile, { size, sha256 }: Checkpoint, maxBytes: number) {
  const stats = safeDir.stat(path);
  // A hard link might be outside the directory, so a file with more than one name is not written.
  if (stats === undefined || !(size > 0) || stats.size < size || stats.nlink !== 1) return undefined;
  using unlessSame = new DisposableStack();
  const flags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
  const descriptor = unlessSame.adopt(openSync(safeDir.resolve(path), flags), closeSync);
  const hasher = createHasher(algorithms);
  const max = Math.min(maxBytes, size);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const next = async (limit: number, at: number) =>
    buffer.subarray(0, (await readAt(descriptor, buffer, 0, Math.min(CHUNK_BYTES, limit - at), at)).bytesRead);
  while (hasher.size() < max) hasher.update(await next(max, hasher.size()));
  const checkpointHash = hasher.sha256SoFar();
  for (let at = max; at < size; ) {
    const bytes = await next(size, at);
    checkpointHash.update(bytes);
    at += bytes.length;
  }
  if (checkpointHash.digest('hex') !== sha256) return undefined;
  ftruncateSync(descriptor, max);
  unlessSame.move();
  return { descriptor, hasher };
}

/** Writes all chunks. A disk that is nearly full writes only some of the bytes; the next call then throws its error. */
function writeAll(descriptor: number, chunks: Uint8Array[], at: number): void {
  const total = chunks.reduce((bytes, { length }) => bytes + length, 0);
  let rest = chunks;
  for (let done = 0; done < total; ) {
    const written = writevSync(descriptor, rest, at + done);
    done += written;
    if (done < total) rest = [Buffer.concat(rest).subarray(written)];
  }
}

/** Creates a hasher for SHA-256 and the given algorithms. */
function createHasher(algorithms: Iterable<Algorithm>) {
  const wanted = new Set(algorithms);
  const sha256 = createHash('sha256');
  const others = [...wanted]
    .filter((algorithm) => algorithm !== 'crc32' && algorithm !== 'sha256')
    .map((algorithm) => ({ algorithm, hash: createHash(algorithm) }));
  let crc = 0;
  let size = 0;
  return {
    update(bytes: Uint8Array) {
      sha256.update(bytes);
      for (const { hash } of others) hash.update(bytes);
      if (wanted.has('crc32')) crc = crc32(bytes, crc);
      size += bytes.length;
    },
    /** Returns the number of bytes so far. */
    size: () => size,
    /** Returns a copy of the SHA-256 state, which can be continued or finished independently. */
    sha256SoFar: () => sha256.copy(),
    /** Returns the size and all checksums. Nothing can be added afterwards. */
    finish() {
      const checksums = Object.fromEntries(others.map(({ algorithm, hash }) => [algorithm, hash.digest('hex')]));
      return {
        size,
        sha256: sha256.digest('hex'),
        ...checksums,
        ...(wanted.has('crc32') ? { crc32: crc.toString(16).padStart(8, '0') } : {}),
      };
    },
  };
}
