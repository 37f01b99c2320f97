/** Starts threads that hash, write and sync files, so that the main thread handles the network and never waits for a disk. */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Algorithm, Measured } from '../model/media/fixity.ts';
import { toError, toPostedError } from '../platform/thread-calls.ts';
import { type Checkpoint, createDiskWorker, type DiskCommand, type DiskReply } from './disk-worker.ts';

export type { Checkpoint } from './disk-worker.ts';

/** A file that a thread writes. Every method throws the file's first error, also if an earlier call caused it. */
export type DiskFile = ReturnType<typeof openFile>;

/** A pool of threads that write files below one directory. */
export type DiskThreads = ReturnType<typeof startDiskThreads>;

/** Maximum bytes of one file that are queued for its thread. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
/** One thread hashes and writes about 600 MB/s. With two, one works while the other waits for the disk, even on two cores. */
const MIN_THREADS = 2;
const MAX_THREADS = 4;
const WORKER_ROLE = 'microfiche-disk';

/** Returns a pool for files below the directory `root`. A thread starts when it is needed. */
export function startDiskThreads(root: string) {
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
    /**
     * Returns a handle for a file. `path` is relative to the directory. The file is created at the first write. `onCheckpoint` is
     * called after each sync.
     */
    file: (path: string, algorithms: ReadonlySet<Algorithm>, onCheckpoint: (checkpoint: Checkpoint) => void) =>
      openFile(leastBusy(), { path, algorithms: [...algorithms], addPendingBytes }, onCheckpoint),
    /** Counts bytes that are buffered for a file and not appended yet. A negative number subtracts them. */
    addPendingBytes,
    /** Returns the number of bytes that were received and are not written yet. */
    unwrittenBytes: () => pendingBytes,
    /** Stops all threads. */
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

type DiskThread = ReturnType<typeof startThread>;

function startThread(root: string) {
  const worker = new Worker(import.meta.filename, { workerData: { role: WORKER_ROLE, root } });
  const files = new Map<number, (reply: DiskReply) => void>();
  let ids = 0;
  let commands: DiskCommand[] = [];
  worker.on('message', (replies: DiskReply[]) => {
    for (const reply of replies) files.get(reply.file)?.(reply);
  });
  let broken: Error | undefined;
  worker.on('error', (error: Error) => {
    broken = error;
    for (const [file, onReply] of files) onReply({ file, failure: toPostedError(error) });
  });
  /** Posts the commands of one turn of the event loop together: waking a thread costs more than most commands. */
  function post(): void {
    if (broken) for (const { file } of commands) files.get(file)?.({ file, failure: toPostedError(broken) });
    const memory = commands.flatMap((command) => (command.does === 'append' ? command.chunks.map(({ buffer }) => buffer) : []));
    worker.postMessage(commands, memory);
    commands = [];
  }
  return {
    /** The function that receives the replies for each open file. */
    files,
    newId: () => ids++,
    send(command: DiskCommand) {
      if (commands.length === 0) queueMicrotask(post);
      commands.push(command);
    },
    close: () => worker.terminate(),
  };
}

function openFile(
  { files, newId, send }: DiskThread,
  { path, algorithms, addPendingBytes }: { path: string; algorithms: Algorithm[]; addPendingBytes: (bytes: number) => void },
  onCheckpoint: (checkpoint: Checkpoint) => void,
) {
  const file = newId();
  let queuedBytes = 0;
  let failure: Error | undefined;
  /** All replies so far, merged. */
  let latestReply: DiskReply = { file };
  let next = Promise.withResolvers<void>();

  files.set(file, (reply) => {
    const written = reply.failure ? queuedBytes : (reply.written ?? 0);
    queuedBytes -= written;
    addPendingBytes(-written);
    if (reply.checkpoint) onCheckpoint(reply.checkpoint);
    if (reply.failure) failure ??= toError(reply.failure);
    if (reply.failure || reply.ended) files.delete(file);
    latestReply = { ...latestReply, ...reply };
    next.resolve();
    next = Promise.withResolvers();
  });
  send({ file, does: 'open', path, algorithms });

  /** Waits for replies until `read` returns a value. Throws the file's error. */
  async function until<T>(read: () => T | undefined): Promise<T> {
    for (;;) {
      if (failure !== undefined) throw failure;
      const value = read();
      if (value !== undefined) return value;
      await next.promise;
    }
  }

  return {
    /**
     * Resumes the partial file of an earlier run, if its bytes match its checkpoint; otherwise deletes it. Truncates it to
     * `maxBytes`. Returns the number of bytes in it.
     */
    resume(checkpoint: Checkpoint, maxBytes: number) {
      send({ file, does: 'resume', checkpoint, maxBytes });
      return until(() => latestReply.resumed);
    },
    /** Appends bytes. The memory of the chunks is transferred to the thread. Waits while too many bytes are queued. */
    async append(chunks: Uint8Array<ArrayBuffer>[]) {
      if (failure !== undefined) throw failure;
      send({ file, does: 'append', chunks });
      const bytes = chunks.reduce((total, { length }) => total + length, 0);
      queuedBytes += bytes;
      addPendingBytes(bytes);
      await until(() => queuedBytes <= MAX_QUEUED_BYTES || undefined);
    },
    /** Truncates the file to 0 bytes. */
    reset() {
      if (failure !== undefined) throw failure;
      send({ file, does: 'reset' });
    },
    /** Syncs and closes a complete file. Returns its size and checksums. */
    async finish() {
      send({ file, does: 'finish' });
      const { measured } = await until(() => latestReply.ended);
      return measured as Measured & { sha256: string };
    },
    /** Syncs and closes a file that is to be resumed. Its last checkpoint is reported before this resolves. */
    async suspend() {
      send({ file, does: 'suspend' });
      await until(() => latestReply.ended);
    },
    /** Closes the file without syncing it. Does not throw the file's error. */
    async close() {
      if (failure !== undefined) return; // the thread has closed it
      send({ file, does: 'close' });
      await until(() => latestReply.ended);
    },
  };
}

if (!isMainThread && (workerData as { role?: string } | null)?.role === WORKER_ROLE) {
  let replies: DiskReply[] = [];
  const execute = createDiskWorker((workerData as { root: string }).root, (reply) => {
    if (replies.length === 0)
      setImmediate(() => {
        parentPort?.postMessage(replies);
        replies = [];
      });
    replies.push(reply);
  });
  parentPort?.on('message', (commands: DiskCommand[]) => commands.forEach(execute));
}
