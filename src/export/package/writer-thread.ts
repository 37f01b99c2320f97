/** A thread that writes the files of a package and computes their checksums, while the main thread makes the next ones. */
import { ReadableStream } from 'node:stream/web';
import { Worker } from 'node:worker_threads';
import { concatenate } from '../../platform/in-parts.ts';
import { openThreadCalls } from '../../platform/thread-calls.ts';
import { doTasks } from '../../platform/thread-pool.ts';
import { createDigest, type Digest, type DigestName } from '../digest.ts';
import { createSink, type PackageForm } from './create-sink.ts';
import { CHANGED_MEMBER, type Content, readContent, type Sink, type StreamPart, sizeOf } from './package-content.ts';

/** What the thread writes. */
export interface WriterTask {
  form: PackageForm;
  /** Path of the package, which must not exist. */
  path: string;
  /** Checksums of each file. */
  digests: readonly DigestName[];
}

/** Content as it is posted. */
type PostedContent = Uint8Array | { file: string } | { size: number | undefined; stream: ReadableStream<StreamPart[]> };

/** What the main thread requests. Each request has one reply. */
type Request = { does: 'add'; path: string; content: PostedContent } | { does: 'finish' };

/** The number of bytes written since the last message of this kind. */
interface Progress {
  bytes: number;
}

const WORKER_ROLE = 'microfiche-package-writer';
/** Bytes of a stream that are posted together. */
const BATCH_BYTES = 256 * 1024;
/** As how many of them a gzip member counts. */
const MEMBER_BYTES = 16 * 1024;
/** Bytes after which progress is posted. */
const PROGRESS_BYTES = 4 * 1024 * 1024;

/** Starts the thread. `onBytes` gets the number of bytes written since its last call. */
export function startWriterThread(task: WriterTask, onBytes?: (bytes: number) => void) {
  const worker = new Worker(import.meta.filename, { workerData: { role: WORKER_ROLE, setting: task } });
  const send = openThreadCalls<Request, Digest, Progress>(worker, ({ bytes }) => onBytes?.(bytes));

  return {
    /** Adds a file. Resolves when it is written. */
    async add(path: string, content: Content) {
      if (content instanceof Uint8Array) {
        const bytes = new Uint8Array(content); // a view would be posted with all the memory that it is a view of
        return (await send({ does: 'add', path, content: bytes }, [bytes.buffer])) as Digest;
      }
      if ('file' in content) return (await send({ does: 'add', path, content })) as Digest;
      let failure: { error: unknown } | undefined;
      const readParts = async function* () {
        try {
          yield* inBatches(content.read());
        } catch (error) {
          failure = { error };
          throw error;
        }
      };
      const parts = readParts();
      const stream = ReadableStream.from(parts);
      const reply = send({ does: 'add', path, content: { size: content.size, stream } }, [stream]);
      return (await reply.catch(async (error: unknown) => {
        await parts.return(); // a stream that was transferred does not close what it reads
        if (failure) throw failure.error; // a message between threads would not have its class
        const { code, file, size, sha256 } = error as Record<string, unknown>;
        if (code === CHANGED_MEMBER)
          content.onChanged?.(String(file), { size: Number(size), checksums: { sha256: String(sha256) } });
        throw error;
      })) as Digest;
    },
    /** Completes the package. */
    finish: () => send({ does: 'finish' }),
    /** Ends the thread, which stops writing. */
    stop: () => worker.terminate(),
  };
}

/** Yields the parts of a stream, of which as many are together as are worth a message. */
async function* inBatches(stream: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart[]> {
  let [batch, size]: [StreamPart[], number] = [[], 0];
  for await (const part of stream) {
    batch.push(part instanceof Uint8Array ? new Uint8Array(part) : part); // a view would take all its memory along
    size += part instanceof Uint8Array ? part.length : MEMBER_BYTES;
    if (size < BATCH_BYTES) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  yield batch;
}

/** Writes the package: adds one file after the other, in the order of the requests. After a failure, all that follow fail too. */
doTasks(WORKER_ROLE, ({ form, path, digests }: WriterTask) => {
  let previous: Promise<unknown> = Promise.resolve();
  let sink: Sink | undefined;
  let unreported = 0;

  async function add(entry: string, posted: PostedContent, report: () => void): Promise<Digest> {
    const digest = createDigest(digests);
    const content: Content = 'stream' in posted ? { size: posted.size, read: () => concatenate(posted.stream) } : posted;
    sink ??= createSink(form, path);
    const chunks = readContent(content, (chunk) => {
      digest.update(chunk);
      unreported += chunk.length;
      if (unreported >= PROGRESS_BYTES) report();
    });
    await sink.add(entry, sizeOf(content), chunks);
    return digest.digest();
  }

  async function finish(report: () => void): Promise<undefined> {
    sink ??= createSink(form, path);
    await sink.finish();
    report();
  }

  return (request: Request, post: (progress: Progress) => void) => {
    const report = () => {
      post({ bytes: unreported });
      unreported = 0;
    };
    const result = previous.then(() => (request.does === 'add' ? add(request.path, request.content, report) : finish(report)));
    previous = result;
    return result;
  };
});
