/** What a disk thread does: it hashes, writes and syncs the files that it is told of, each independent of the others. */
import { closeSync, constants, fdatasync, ftruncateSync, openSync, read, writevSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Algorithm, Measured } from '../model/fixity.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { createHasher, type Hasher } from './hasher.ts';

/** How much of a file is known to be on the disk: its first `size` bytes, with their SHA-256. */
export interface Checkpoint {
  size: number;
  sha256: string;
}

/** What the main thread asks for, file by file, in order. */
export type DiskCommand = { file: number } & (
  | { does: 'open'; path: string; algorithms: Algorithm[] }
  | { does: 'resume'; checkpoint: Checkpoint; keep: number }
  | { does: 'append'; chunks: Uint8Array<ArrayBuffer>[] }
  | { does: 'reset' | 'finish' | 'keep' | 'close' }
);

/** What a thread answers. */
export interface DiskReply {
  file: number;
  /** Bytes that were there from an earlier run. */
  resumed?: number;
  /** Bytes that were written. */
  written?: number;
  checkpoint?: Checkpoint;
  /** The file is closed; `measured` if it is whole. */
  ended?: { measured?: Measured & { sha256: string } };
  failure?: { name?: string; message: string; code?: string | undefined };
}

/** Bytes, and milliseconds, after which what was written is synced: so much at most is fetched again after a crash. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
const CHECKPOINT_INTERVAL_MS = 5_000;
/** Bytes read at once. */
const CHUNK_BYTES = 1024 * 1024;

const sync = promisify(fdatasync);
const readAt = promisify(read);

interface OpenFile {
  path: string;
  algorithms: Algorithm[];
  descriptor: number | undefined;
  hasher: Hasher;
  /** What the last checkpoint covered, and when it was begun. */
  checkpointedBytes: number;
  checkpointedAt: number;
  /** The sync under way; another begins when it has ended. */
  syncing: Promise<void> | undefined;
}

/** Takes orders for files below `root` and says what became of them. */
export function createDiskWorker(root: string, reply: (said: DiskReply) => void): (order: DiskCommand) => void {
  const safeDir = toSafeDirectory(root);
  const files = new Map<number, OpenFile>();

  function fail(id: number, error: unknown): void {
    const { name, message, code } = error as NodeJS.ErrnoException;
    const descriptor = files.get(id)?.descriptor;
    files.delete(id);
    if (descriptor !== undefined) closeSync(descriptor);
    reply({ file: id, failure: { name, message, code } });
  }

  function checkpoint(id: number, file: OpenFile): void {
    const { descriptor, hasher } = file;
    const proof = { size: hasher.size(), sha256: hasher.sha256SoFar().digest('hex') };
    file.checkpointedBytes = proof.size;
    file.checkpointedAt = performance.now();
    file.syncing = sync(descriptor as number).then(
      () => {
        file.syncing = undefined;
        if (file.hasher === hasher && files.get(id) === file) reply({ file: id, checkpoint: proof });
      },
      (error: unknown) => fail(id, error),
    );
  }

  function append(id: number, file: OpenFile, chunks: Uint8Array<ArrayBuffer>[]): void {
    file.descriptor ??= createFile(safeDir, file.path);
    const at = file.hasher.size();
    for (const chunk of chunks) file.hasher.update(chunk);
    writeAll(file.descriptor, chunks, at);
    // Given back at once: waiting for the garbage collector costs more than the copying that is saved.
    for (const { buffer } of chunks) buffer.transfer(0);
    reply({ file: id, written: file.hasher.size() - at });
    const more = file.hasher.size() - file.checkpointedBytes;
    const due = more >= CHECKPOINT_BYTES || (more > 0 && performance.now() - file.checkpointedAt >= CHECKPOINT_INTERVAL_MS);
    if (due && file.syncing === undefined) checkpoint(id, file);
  }

  async function end(id: number, file: OpenFile, whole: boolean): Promise<void> {
    if (whole) file.descriptor ??= createFile(safeDir, file.path);
    await file.syncing;
    if (files.get(id) !== file) return; // syncing has failed, and that was said
    const { descriptor, hasher } = file;
    if (descriptor !== undefined) {
      await sync(descriptor);
      file.descriptor = undefined;
      closeSync(descriptor);
    }
    files.delete(id);
    if (!whole && descriptor !== undefined)
      reply({ file: id, checkpoint: { size: hasher.size(), sha256: hasher.sha256SoFar().digest('hex') } });
    reply({ file: id, ended: whole ? { measured: hasher.finish() } : {} });
  }

  function close(id: number, { descriptor }: OpenFile): void {
    files.delete(id);
    if (descriptor !== undefined) closeSync(descriptor);
    reply({ file: id, ended: {} });
  }

  async function resume(id: number, file: OpenFile, proof: Checkpoint, keep: number): Promise<void> {
    const taken = await reopen(safeDir, file, proof, keep);
    if (taken) Object.assign(file, taken, { covered: taken.hasher.size() });
    else safeDir.delete(file.path);
    reply({ file: id, resumed: file.hasher.size() });
  }

  function execute(order: DiskCommand): void | Promise<void> {
    const id = order.file;
    if (order.does === 'open') {
      const { path, algorithms } = order;
      const hasher = createHasher(algorithms);
      const checkpointedAt = performance.now();
      files.set(id, {
        path,
        algorithms,
        descriptor: undefined,
        hasher,
        checkpointedBytes: 0,
        checkpointedAt,
        syncing: undefined,
      });
      return;
    }
    const file = files.get(id);
    if (file === undefined) return; // it has failed, and that was said
    switch (order.does) {
      case 'append':
        return append(id, file, order.chunks);
      case 'resume':
        return resume(id, file, order.checkpoint, order.keep);
      case 'reset':
        if (file.descriptor !== undefined) ftruncateSync(file.descriptor, 0);
        Object.assign(file, { sums: createHasher(file.algorithms), covered: 0 });
        return;
      case 'close':
        return close(id, file);
      default:
        return end(id, file, order.does === 'finish');
    }
  }

  return (order) => {
    try {
      execute(order)?.catch((error: unknown) => fail(order.file, error));
    } catch (error) {
      fail(order.file, error);
    }
  };
}

/** Creates a file in few calls, as most have a folder and no file of their name. @throws UnsafePathError */
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

/** Opens what an earlier run left of a file and reads it again; undefined if it is not what the checkpoint says. */
async function reopen(
  safeDir: SafeDirectory,
  { path, algorithms }: OpenFile,
  { size, sha256 }: Checkpoint,
  maxBytes: number,
): Promise<Pick<OpenFile, 'descriptor' | 'hasher'> | undefined> {
  const there = safeDir.stat(path);
  // A second name of the file may stand anywhere.
  if (there === undefined || !(size > 0) || there.size < size || there.nlink !== 1) return undefined;
  const descriptor = openSync(safeDir.resolve(path), constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    const hasher = createHasher(algorithms);
    const max = Math.min(maxBytes, size);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const next = async (limit: number, at: number) =>
      buffer.subarray(0, (await readAt(descriptor, buffer, 0, Math.min(CHUNK_BYTES, limit - at), at)).bytesRead);
    while (hasher.size() < max) hasher.update(await next(max, hasher.size()));
    const proof = hasher.sha256SoFar();
    for (let at = max; at < size; ) {
      const bytes = await next(size, at);
      proof.update(bytes);
      at += bytes.length;
    }
    if (proof.digest('hex') === sha256) {
      ftruncateSync(descriptor, max);
      return { descriptor, hasher };
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return undefined;
}

/** Writes in few calls; a disk that is nearly full takes what it can, and the next call says why it takes no more. */
function writeAll(descriptor: number, chunks: Uint8Array[], at: number): void {
  const total = chunks.reduce((sum, { length }) => sum + length, 0);
  let rest = chunks;
  for (let done = 0; done < total; ) {
    const written = writevSync(descriptor, rest, at + done);
    done += written;
    if (done < total) rest = [Buffer.concat(rest).subarray(written)];
  }
}
