/** A thread that writes the files of a package and computes their checksums, while the main thread makes the next ones. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { inParts } from '../../platform/in-parts.ts';
import { openThreadCalls, type Reply, toPostedError } from '../../platform/thread-calls.ts';
import { createDigest, type Digest, type DigestName } from '../digest.ts';
import { createSink, type PackageForm } from './create-sink.ts';
import type { Content, Sink } from './package-content.ts';

/** What the thread writes. */
export interface WriterTask {
  form: PackageForm;
  /** Path of the package, which must not exist. */
  path: string;
  /** Checksums of each file. */
  digests: readonly DigestName[];
}

/** Content as it is posted: a stream follows in parts. */
type PostedContent = Uint8Array | { file: string } | { size: number | undefined; isStream: true };

/** What the main thread requests. Each request has one reply, and each part of a stream too. */
type Request =
  | { does: 'add'; path: string; content: PostedContent }
  /** A part of the stream `of`; undefined at its end. */
  | { does: 'continue'; of: number; part: Uint8Array | undefined }
  | { does: 'finish' | 'abort' };

/** The number of bytes written since the last message of this kind. */
interface Progress {
  bytes: number;
}

const WORKER_ROLE = 'microfiche-package-writer';
/** Bytes of a stream that are posted together. */
const PART_BYTES = 256 * 1024;
/** Bytes after which progress is posted. */
const PROGRESS_BYTES = 4 * 1024 * 1024;

/** Starts the thread. `onBytes` gets the number of bytes written since its last call. */
export function startWriterThread(task: WriterTask, onBytes?: (bytes: number) => void) {
  const worker = new Worker(import.meta.filename, { workerData: { role: WORKER_ROLE, task } });
  const { send, isClosed } = openThreadCalls<Request, Digest, Progress>(worker, ({ bytes }) => onBytes?.(bytes));

  /** Posts a stream. Waits for the reply to each part but the last, so that only two are in memory. */
  async function postStream(of: number, stream: AsyncIterable<Uint8Array>): Promise<void> {
    let previous: Promise<unknown> = Promise.resolve();
    for await (const part of inParts(stream, PART_BYTES)) {
      await previous;
      previous = send({ does: 'continue', of, part }, [part.buffer]).reply;
    }
    await previous;
    await send({ does: 'continue', of, part: undefined }).reply;
  }

  return {
    /** Adds a file. Resolves when it is written. */
    async add(path: string, content: Content) {
      if (content instanceof Uint8Array) {
        const bytes = new Uint8Array(content); // a view would be posted with all the memory that it is a view of
        return (await send({ does: 'add', path, content: bytes }, [bytes.buffer]).reply) as Digest;
      }
      if ('file' in content) return (await send({ does: 'add', path, content }).reply) as Digest;
      const { id, reply } = send({ does: 'add', path, content: { size: content.size, isStream: true } });
      const [digest] = await Promise.all([reply, postStream(id, content.read())]);
      return digest as Digest;
    },
    /** Completes the package, and ends the thread. */
    async finish() {
      await send({ does: 'finish' }).reply;
      await worker.terminate();
    },
    /** Stops writing, and ends the thread. */
    async abort() {
      try {
        if (!isClosed()) await send({ does: 'abort' }).reply;
      } finally {
        await worker.terminate();
      }
    },
  };
}

/** Runs one step after the other, each for one request, and posts its result. After a failure, all that follow fail too. */
function createQueue(post: (reply: Reply<Digest>) => void): {
  run(id: number, step: () => Promise<Digest | undefined>): void;
  /** Lets the steps that have not begun fail. Resolves when the last one has ended. */
  stop(): Promise<void>;
} {
  let previous: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  return {
    run(id, step) {
      const result = previous.then(() => {
        if (isStopped) throw new Error(ABORTED);
        return step();
      });
      previous = result;
      result.then(
        (digest) => post({ id, result: digest }),
        (error: unknown) => post({ id, failure: toPostedError(error) }),
      );
    },
    async stop() {
      isStopped = true;
      await previous.catch(() => undefined); // it was posted
    },
  };
}

const ABORTED = 'The package was aborted.';

/** Writes the package: adds one file after the other, in the order of the requests. */
function createWriter(
  { form, path, digests }: WriterTask,
  post: (message: Reply<Digest> | Progress) => void,
): (request: Request & { id: number }) => void {
  const queue = createQueue(post);
  const streams = new Map<number, PostedStream>();
  let sink: Sink | undefined;
  let unreported = 0;
  function report(): void {
    post({ bytes: unreported });
    unreported = 0;
  }

  async function add(id: number, entry: string, posted: PostedContent): Promise<Digest> {
    const digest = createDigest(digests);
    const content = 'isStream' in posted ? { ...posted, read: () => (streams.get(id) as PostedStream).parts } : posted;
    sink ??= createSink(form, path);
    await sink.add(entry, content as Content, (chunk) => {
      digest.update(chunk);
      unreported += chunk.length;
      if (unreported >= PROGRESS_BYTES) report();
    });
    streams.delete(id);
    return digest.digest();
  }

  async function finish(): Promise<undefined> {
    sink ??= createSink(form, path);
    await sink.finish();
    report();
  }

  async function abort(id: number): Promise<void> {
    for (const stream of streams.values()) stream.fail(new Error(ABORTED));
    await queue.stop();
    await sink?.abort();
    post({ id });
  }

  return (request) => {
    const { id, does } = request;
    if (does === 'add') {
      if ('isStream' in request.content) streams.set(id, createPostedStream(post));
      queue.run(id, () => add(id, request.path, request.content));
    } else if (does === 'continue') streams.get(request.of)?.push(id, request.part);
    else if (does === 'finish') queue.run(id, finish);
    else void abort(id);
  };
}

if (!isMainThread && (workerData as { role?: string } | null)?.role === WORKER_ROLE) {
  const write = createWriter((workerData as { task: WriterTask }).task, (message) => parentPort?.postMessage(message));
  parentPort?.on('message', write);
}

/** A stream whose parts are posted by the main thread. */
type PostedStream = ReturnType<typeof createPostedStream>;

/** Returns a stream. Each part that is read is acknowledged with its ID. */
function createPostedStream(acknowledge: (part: { id: number }) => void) {
  const queue: Array<{ id: number; part: Uint8Array | undefined }> = [];
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      while (queue.length === 0) {
        if (failure) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const { id, part } = queue.shift() as (typeof queue)[number];
      acknowledge({ id });
      if (part === undefined) return;
      yield part;
    }
  }
  return {
    parts: read(),
    /** Adds a part; undefined at the end. */
    push(id: number, part: Uint8Array | undefined) {
      queue.push({ id, part });
      wake();
    },
    /** Makes the reader throw an error. */
    fail(error: Error) {
      failure = error;
      wake();
    },
  };
}
