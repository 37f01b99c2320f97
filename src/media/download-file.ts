/** Receives one file: to a part beside its place, from where an earlier try stopped if upstream allows, within the limits of the run. */
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Client } from '../http/client.ts';
import { LocalError, NonRetryableError } from '../http/errors.ts';
import type { StreamingResponse } from '../http/transport.ts';
import { type Measured, requiredAlgorithms } from '../model/fixity.ts';
import type { FileType } from '../model/sniff.ts';
import type { SafeDirectory } from '../platform/safe-directory.ts';
import { shortHash } from '../platform/short-hash.ts';
import type { DurablePart, MediaWriter } from '../snapshot/write-media.ts';
import type { DiskThreads } from './disk-threads.ts';
import { openPartialFile, type PartialFileOptions } from './partial-file.ts';
import type { WantedFile } from './plan-files.ts';

/** What a run allows. */
export interface FileBudget {
  /** Says how long the file will be, as soon as that is known; `present` bytes of it are there from an earlier run. @throws what ends the file. */
  expect(total: number, present?: number): void;
  /** Says that so many bytes more have come; `size` is what is there of the file. @throws as `expect` */
  count(bytes: number, size: number): void;
}

/** A whole file, still under its temporary name, and on the disk. */
export interface DownloadedFile {
  /** Below the snapshot. */
  partPath: string;
  measured: Measured & { sha256: string };
  /** What its bytes are; undefined for what is not known. */
  type: FileType | undefined;
  /** ISO 8601 in UTC. */
  fetchedAt: string;
  status: number;
  /** Bytes that were there from an earlier try. */
  resumedBytes: number;
}

/** What receiving takes, besides the file and who is asked. */
export interface DownloadContext {
  /** The snapshot's folder. */
  safeDir: SafeDirectory;
  disk: DiskThreads;
  writer: MediaWriter;
  fileBudget: FileBudget;
  signal: AbortSignal;
}

/** Files shorter than this begin anew sooner than that anything is noted of them. */
const MIN_RESUMABLE_BYTES = 256 * 1024;

/** Where the part of a file stands, below the snapshot. */
export function partPath({ basePath, url }: Pick<WantedFile, 'basePath' | 'url'>): string {
  return `${basePath}.${shortHash(url)}.part`;
}

/**
 * Downloads a file. The result is called for the whole file: it waits until that is on the disk, and others may be downloaded meanwhile.
 * @throws FetchError, what the allowance throws, or the file system's error; also when called. What came is kept where it can be resumed.
 */
export async function downloadFile(
  file: WantedFile,
  client: Client,
  { safeDir, disk, writer, fileBudget, signal }: DownloadContext,
): Promise<() => Promise<DownloadedFile>> {
  const { url, declarations } = file;
  const path = partPath(file);
  const row = writer.part(url);
  const known = row?.path === path ? row : undefined;
  let validator = known?.validator;
  let total = known?.total ?? undefined;
  const part = await openPartialFile(disk, {
    path,
    algorithms: requiredAlgorithms(declarations),
    resumeFrom: resumePoint(known),
    onCheckpoint: ({ size, sha256 }) => {
      if (validator !== undefined) writer.putCheckpoint(url, size, sha256);
    },
    absolutePath: () => safeDir.resolve(path),
  });
  let resumed = 0;
  let completed: Pick<StreamingResponse, 'fetchedAt' | 'status'> | undefined;

  async function handleHeaders(response: StreamingResponse): Promise<void> {
    const { status, headers } = response;
    const encoded = isEncoded(headers['content-encoding']);
    if (status === 206) {
      const range = parseContentRange(headers['content-range']);
      const now = headers['etag'] ?? headers['last-modified'] ?? validator;
      const same = now === validator && range?.start === part.size() && !encoded;
      if (!same || (total !== undefined && range.total !== total)) {
        await asLocalError(discardProgress);
        throw new Error('the file changed while it was fetched');
      }
      await asLocalError(() => range.total !== undefined && fileBudget.expect(range.total, part.size()));
      resumed = part.size();
      return;
    }
    await asLocalError(discardProgress);
    if (status === 416) throw new Error('the file is shorter than what was there of it');
    total = parseContentLength(headers);
    await asLocalError(() => total !== undefined && fileBudget.expect(total));
    if (encoded || headers['accept-ranges'] === 'none' || (total ?? MIN_RESUMABLE_BYTES) < MIN_RESUMABLE_BYTES) return;
    validator = strongValidator(headers);
    await asLocalError(() => validator !== undefined && writer.putPart({ url, path, validator, total: total ?? null }));
  }

  function discardProgress(): void {
    if (validator !== undefined) writer.dropPart(url);
    validator = undefined;
    total = undefined;
    resumed = 0;
    part.reset();
  }

  async function consume(response: StreamingResponse): Promise<void> {
    try {
      await handleHeaders(response);
      for await (const chunk of decodeBody(response)) {
        const full = appendChunk(chunk);
        if (full) await asLocalError(() => full);
      }
      if (total !== undefined && part.size() < total) throw new Error(`the answer ended after ${part.size()} of ${total} bytes`);
      completed = response;
    } catch (error) {
      response.destroy();
      throw error;
    }
  }

  /** A promise where the disk is to be waited for. @throws Halt */
  function appendChunk(chunk: Buffer): Promise<void> | undefined {
    try {
      signal.throwIfAborted();
      fileBudget.count(chunk.length, part.size() + chunk.length);
      return part.append(chunk);
    } catch (cause) {
      throw toLocalError(cause);
    }
  }

  const requestHeaders = (): Record<string, string> =>
    validator !== undefined && part.size() > 0
      ? { 'accept-encoding': 'identity', range: `bytes=${part.size()}-`, 'if-range': validator }
      : { 'accept-encoding': 'identity' };

  /** Closes the part; it stays only where it can be resumed. */
  async function closePart(): Promise<void> {
    if (validator !== undefined) return part.suspend();
    await part.close();
    safeDir.delete(path);
  }

  async function closeOnError<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await closePart();
      throw error;
    }
  }

  await closeOnError(() => client.download(url, { receivedBytes: () => part.size(), requestHeaders, consume }, signal));
  const { fetchedAt, status } = completed as Pick<StreamingResponse, 'fetchedAt' | 'status'>;
  return () => closeOnError(async () => ({ partPath: path, ...(await part.finish()), fetchedAt, status, resumedBytes: resumed }));
}

/** What an earlier run has left of a file, as far as it is known to be on the disk. One byte at least is asked for again: so upstream tells whether the file is still the same. */
function resumePoint(known: DurablePart | undefined): PartialFileOptions['resumeFrom'] {
  if (known?.durable == null || known.sha256 === null) return undefined;
  return {
    checkpoint: { size: known.durable, sha256: known.sha256 },
    maxBytes: (known.total ?? Number.POSITIVE_INFINITY) - 1,
  };
}

/** What goes wrong on this side ends the asking: no further try would mend it. */
async function asLocalError(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw toLocalError(cause);
  }
}

function toLocalError(cause: unknown): LocalError {
  return new LocalError((cause as Error).message, { cause });
}

/** Removes what a file on its way has left. @throws UnsafePathError */
export function deletePart(file: WantedFile, safeDir: SafeDirectory, writer: MediaWriter): void {
  writer.dropPart(file.url);
  safeDir.delete(partPath(file));
}

/** A strong validator (RFC 9110 §8.8): an ETag that is not weak, else a date that was at least a second old. */
export function strongValidator(headers: Record<string, string>): string | undefined {
  const { etag, 'last-modified': modified, date } = headers;
  if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : undefined;
  const age = Date.parse(date ?? '') - Date.parse(modified ?? '');
  return age >= 1000 ? modified : undefined;
}

/** `bytes 100-199/200`; undefined for anything else. */
export function parseContentRange(header: string | undefined): { start: number; total: number | undefined } | undefined {
  const match = /^\s*bytes (\d+)-\d+\/(\d+|\*)\s*$/i.exec(header ?? '');
  return match ? { start: Number(match[1]), total: match[2] === '*' ? undefined : Number(match[2]) } : undefined;
}

/** How long a body will be, in bytes; undefined where that is not said, or said of its packed form. */
export function parseContentLength(headers: Record<string, string>): number | undefined {
  const length = headers['content-length'];
  return length !== undefined && /^\d+$/.test(length) && !isEncoded(headers['content-encoding']) ? Number(length) : undefined;
}

function isEncoded(encoding: string | undefined): boolean {
  return encoding !== undefined && !['', 'identity'].includes(encoding.trim().toLowerCase());
}

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body without its content encoding, though none was asked for. */
function decodeBody({ body, headers }: StreamingResponse): AsyncIterable<Buffer> {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || !isEncoded(encoding)) return body;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!decoder) throw new NonRetryableError(`the body has the encoding ${encoding}, which cannot be undone`);
  // What goes wrong in it is thrown where it is read.
  return pipeline(Readable.from(body), decoder(), () => undefined);
}
