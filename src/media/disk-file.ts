/** What a disk thread does: it hashes, writes and syncs the files that it is told of, each independent of the others. */
import { closeSync, constants, fdatasync, ftruncateSync, openSync, read, writevSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Algorithm, Measured } from '../model/fixity.ts';
import { type Contained, containedIn, UnsafePath } from '../platform/contained.ts';
import { createSums, type Sums } from './sums.ts';

/** How much of a file is known to be on the disk: its first `size` bytes, with their SHA-256. */
export interface Checkpoint {
  size: number;
  sha256: string;
}

/** What the main thread asks for, file by file, in order. */
export type Order = { file: number } & (
  | { does: 'open'; path: string; algorithms: Algorithm[] }
  | { does: 'resume'; checkpoint: Checkpoint; keep: number }
  | { does: 'append'; chunks: Uint8Array<ArrayBuffer>[] }
  | { does: 'reset' | 'finish' | 'keep' | 'close' }
);

/** What a thread answers. */
export interface Said {
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
const CHECKPOINT_TIME = 5_000;
/** Bytes read at once. */
const PIECE = 1024 * 1024;

const sync = promisify(fdatasync);
const readAt = promisify(read);

interface OpenFile {
  path: string;
  algorithms: Algorithm[];
  descriptor: number | undefined;
  sums: Sums;
  /** What the last checkpoint covered, and when it was begun. */
  covered: number;
  coveredAt: number;
  /** The sync under way; another begins when it has ended. */
  syncing: Promise<void> | undefined;
}

/** Takes orders for files below `root` and says what became of them. */
export function createFileWorker(root: string, say: (said: Said) => void): (order: Order) => void {
  const inside = containedIn(root);
  const files = new Map<number, OpenFile>();

  function fail(id: number, error: unknown): void {
    const { name, message, code } = error as NodeJS.ErrnoException;
    const descriptor = files.get(id)?.descriptor;
    files.delete(id);
    if (descriptor !== undefined) closeSync(descriptor);
    say({ file: id, failure: { name, message, code } });
  }

  function checkpoint(id: number, file: OpenFile): void {
    const { descriptor, sums } = file;
    const proof = { size: sums.size(), sha256: sums.sha256SoFar().digest('hex') };
    file.covered = proof.size;
    file.coveredAt = performance.now();
    file.syncing = sync(descriptor as number).then(
      () => {
        file.syncing = undefined;
        if (file.sums === sums && files.get(id) === file) say({ file: id, checkpoint: proof });
      },
      (error: unknown) => fail(id, error),
    );
  }

  function append(id: number, file: OpenFile, chunks: Uint8Array<ArrayBuffer>[]): void {
    file.descriptor ??= createFile(inside, file.path);
    const at = file.sums.size();
    for (const chunk of chunks) file.sums.add(chunk);
    writeAll(file.descriptor, chunks, at);
    // Given back at once: waiting for the garbage collector costs more than the copying that is saved.
    for (const { buffer } of chunks) buffer.transfer(0);
    say({ file: id, written: file.sums.size() - at });
    const more = file.sums.size() - file.covered;
    const due = more >= CHECKPOINT_BYTES || (more > 0 && performance.now() - file.coveredAt >= CHECKPOINT_TIME);
    if (due && file.syncing === undefined) checkpoint(id, file);
  }

  async function end(id: number, file: OpenFile, whole: boolean): Promise<void> {
    if (whole) file.descriptor ??= createFile(inside, file.path);
    await file.syncing;
    if (files.get(id) !== file) return; // syncing has failed, and that was said
    const { descriptor, sums } = file;
    if (descriptor !== undefined) {
      await sync(descriptor);
      file.descriptor = undefined;
      closeSync(descriptor);
    }
    files.delete(id);
    if (!whole && descriptor !== undefined)
      say({ file: id, checkpoint: { size: sums.size(), sha256: sums.sha256SoFar().digest('hex') } });
    say({ file: id, ended: whole ? { measured: sums.measured() } : {} });
  }

  function close(id: number, { descriptor }: OpenFile): void {
    files.delete(id);
    if (descriptor !== undefined) closeSync(descriptor);
    say({ file: id, ended: {} });
  }

  async function resume(id: number, file: OpenFile, proof: Checkpoint, keep: number): Promise<void> {
    const taken = await takeUp(inside, file, proof, keep);
    if (taken) Object.assign(file, taken, { covered: taken.sums.size() });
    else inside.remove(file.path);
    say({ file: id, resumed: file.sums.size() });
  }

  function carryOut(order: Order): void | Promise<void> {
    const id = order.file;
    if (order.does === 'open') {
      const { path, algorithms } = order;
      const sums = createSums(algorithms);
      const coveredAt = performance.now();
      files.set(id, { path, algorithms, descriptor: undefined, sums, covered: 0, coveredAt, syncing: undefined });
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
        Object.assign(file, { sums: createSums(file.algorithms), covered: 0 });
        return;
      case 'close':
        return close(id, file);
      default:
        return end(id, file, order.does === 'finish');
    }
  }

  return (order) => {
    try {
      carryOut(order)?.catch((error: unknown) => fail(order.file, error));
    } catch (error) {
      fail(order.file, error);
    }
  };
}

/** Creates a file in few calls, as most have a folder and no file of their name. @throws UnsafePath */
function createFile(inside: Contained, path: string): number {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    return openSync(inside.at(path), flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof UnsafePath || code === 'ENOENT' || code === 'EEXIST') return inside.create(path);
    throw error;
  }
}

/** Opens what an earlier run left of a file and reads it again; undefined if it is not what the checkpoint says. */
async function takeUp(
  inside: Contained,
  { path, algorithms }: OpenFile,
  { size, sha256 }: Checkpoint,
  keep: number,
): Promise<Pick<OpenFile, 'descriptor' | 'sums'> | undefined> {
  const there = inside.stat(path);
  // A second name of the file may stand anywhere.
  if (there === undefined || !(size > 0) || there.size < size || there.nlink !== 1) return undefined;
  const descriptor = openSync(inside.at(path), constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    const sums = createSums(algorithms);
    const most = Math.min(keep, size);
    const buffer = Buffer.allocUnsafe(PIECE);
    const next = async (limit: number, at: number) =>
      buffer.subarray(0, (await readAt(descriptor, buffer, 0, Math.min(PIECE, limit - at), at)).bytesRead);
    while (sums.size() < most) sums.add(await next(most, sums.size()));
    const proof = sums.sha256SoFar();
    for (let at = most; at < size; ) {
      const bytes = await next(size, at);
      proof.update(bytes);
      at += bytes.length;
    }
    if (proof.digest('hex') === sha256) {
      ftruncateSync(descriptor, most);
      return { descriptor, sums };
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
