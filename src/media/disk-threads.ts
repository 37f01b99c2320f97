/** Hashes, writes and syncs files on threads of their own: the main thread is left to the network, and waits for no disk. */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Algorithm, Measured } from '../model/fixity.ts';
import { UnsafePathError } from '../platform/safe-directory.ts';
import { type Checkpoint, createDiskWorker, type DiskCommand, type DiskReply } from './disk-worker.ts';

export type { Checkpoint } from './disk-worker.ts';

/** A file that a thread writes. Every method throws what went wrong with the file before. */
export interface DiskFile {
  /** Takes up what an earlier run left, as far as its checkpoint proves it, and `keep` bytes at most. How many bytes there are. */
  resume(checkpoint: Checkpoint, maxBytes: number): Promise<number>;
  /** Puts bytes at the end. The memory of the chunks belongs to the thread from then on. Waits while too much is on its way. */
  append(chunks: Uint8Array<ArrayBuffer>[]): Promise<void>;
  /** Makes the file empty. */
  reset(): void;
  /** Ends a whole file: its bytes are on the disk when this resolves. */
  finish(): Promise<Measured & { sha256: string }>;
  /** Ends a file that is to be resumed: its last checkpoint was reported when this resolves. */
  suspend(): Promise<void>;
  /** Closes the file as it is, whatever went wrong with it. */
  close(): Promise<void>;
}

export interface DiskThreads {
  /** A file below the disk's folder, made when there is something to write. `onCheckpoint` is told how much of it is on the disk. */
  file(path: string, algorithms: ReadonlySet<Algorithm>, onCheckpoint: (checkpoint: Checkpoint) => void): DiskFile;
  /** Says that bytes of a file wait to be appended, or, with a negative number, that they wait no longer. */
  addPendingBytes(bytes: number): void;
  /** Bytes that were received and are not written yet. */
  unwrittenBytes(): number;
  close(): Promise<void>;
}

/** Bytes of one file that may be on their way to its thread. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
/** Threads: one hashes and writes about 600 megabytes a second. With two, one works while the other waits for the disk, also on two cores. */
const MIN_THREADS = 2;
const MAX_THREADS = 4;
const WORKER_ROLE = 'microfiche-disk';

/** Writes below the folder `root`. Threads are started when they are needed. */
export function startDiskThreads(root: string): DiskThreads {
  const max = Math.min(MAX_THREADS, Math.max(MIN_THREADS, availableParallelism() - 1));
  const threads: DiskThread[] = [];
  let pendingBytes = 0;
  const addPendingBytes = (bytes: number): void => {
    pendingBytes += bytes;
  };
  function leastBusy(): DiskThread {
    const [least] = [...threads].sort((a, b) => a.files.size - b.files.size);
    if (least && (least.files.size === 0 || threads.length >= max)) return least;
    const started = startThread(root);
    threads.push(started);
    return started;
  }
  return {
    file: (path, algorithms, onCheckpoint) =>
      openFile(leastBusy(), { path, algorithms: [...algorithms], addPendingBytes }, onCheckpoint),
    addPendingBytes,
    unwrittenBytes: () => pendingBytes,
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

interface DiskThread {
  /** Who hears what is said of each open file. */
  files: Map<number, (said: DiskReply) => void>;
  newId(): number;
  send(order: DiskCommand): void;
  close(): Promise<unknown>;
}

function startThread(root: string): DiskThread {
  const worker = new Worker(import.meta.filename, { workerData: { role: WORKER_ROLE, root } });
  const files: DiskThread['files'] = new Map();
  let ids = 0;
  let orders: DiskCommand[] = [];
  worker.on('message', (all: DiskReply[]) => {
    for (const reply of all) files.get(reply.file)?.(reply);
  });
  let broken: Error | undefined;
  worker.on('error', (error: Error) => {
    broken = error;
    for (const [file, listeners] of files) listeners({ file, failure: { message: error.message } });
  });
  /** Orders of one moment go together: waking a thread costs more than most of them. */
  function post(): void {
    if (broken) for (const { file } of orders) files.get(file)?.({ file, failure: { message: broken.message } });
    const memory = orders.flatMap((order) => (order.does === 'append' ? order.chunks.map(({ buffer }) => buffer) : []));
    worker.postMessage(orders, memory);
    orders = [];
  }
  return {
    files,
    newId: () => ids++,
    send(order) {
      if (orders.length === 0) queueMicrotask(post);
      orders.push(order);
    },
    close: () => worker.terminate(),
  };
}

function openFile(
  { files, newId, send }: DiskThread,
  {
    path,
    algorithms,
    addPendingBytes,
  }: { path: string; algorithms: Algorithm[]; addPendingBytes: DiskThreads['addPendingBytes'] },
  onCheckpoint: (checkpoint: Checkpoint) => void,
): DiskFile {
  const file = newId();
  let queuedBytes = 0;
  let failure: Error | undefined;
  /** What the thread said last of what somebody waits for. */
  let onReply: DiskReply = { file };
  let wakers: Array<() => void> = [];

  files.set(file, (news) => {
    const written = news.failure ? queuedBytes : (news.written ?? 0);
    queuedBytes -= written;
    addPendingBytes(-written);
    if (news.checkpoint) onCheckpoint(news.checkpoint);
    if (news.failure) failure ??= reviveError(path, news.failure);
    if (news.failure || news.ended) files.delete(file);
    onReply = { ...onReply, ...news };
    const awake = wakers;
    wakers = [];
    for (const wake of awake) wake();
  });
  send({ file, does: 'open', path, algorithms });

  async function until<T>(there: () => T | undefined): Promise<T> {
    for (;;) {
      if (failure !== undefined) throw failure;
      const found = there();
      if (found !== undefined) return found;
      await new Promise<void>((wake) => {
        wakers.push(wake);
      });
    }
  }

  return {
    resume(checkpoint, keep) {
      send({ file, does: 'resume', checkpoint, keep });
      return until(() => onReply.resumed);
    },
    async append(chunks) {
      if (failure !== undefined) throw failure;
      send({ file, does: 'append', chunks });
      const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
      queuedBytes += bytes;
      addPendingBytes(bytes);
      await until(() => queuedBytes <= MAX_QUEUED_BYTES || undefined);
    },
    reset() {
      if (failure !== undefined) throw failure;
      send({ file, does: 'reset' });
    },
    async finish() {
      send({ file, does: 'finish' });
      const { measured } = await until(() => onReply.ended);
      return measured as Measured & { sha256: string };
    },
    async suspend() {
      send({ file, does: 'keep' });
      await until(() => onReply.ended);
    },
    async close() {
      if (failure !== undefined) return; // the thread has closed it
      send({ file, does: 'close' });
      await until(() => onReply.ended);
    },
  };
}

/** An error as it was in the thread: only its words and its code come across. */
function reviveError(path: string, { name, message, code }: NonNullable<DiskReply['failure']>): Error {
  if (name === 'UnsafePathError') return new UnsafePathError(path, message.replace(`${path}: `, ''));
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

if (!isMainThread && (workerData as { role?: string } | null)?.role === WORKER_ROLE) {
  let news: DiskReply[] = [];
  const work = createDiskWorker((workerData as { root: string }).root, (said) => {
    if (news.length === 0)
      setImmediate(() => {
        parentPort?.postMessage(news);
        news = [];
      });
    news.push(said);
  });
  parentPort?.on('message', (orders: DiskCommand[]) => orders.forEach(work));
}
