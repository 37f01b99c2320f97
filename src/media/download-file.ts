/** Downloads a media file to a partial file, within the run's limits. Resumes an interrupted download if upstream can. */
import type { Client } from '../http/client.ts';
import { contentEncodings, decodeContent } from '../http/content-encoding.ts';
import { LocalError } from '../http/errors.ts';
import type { StreamingResponse } from '../http/transport.ts';
import { type Measured, requiredAlgorithms } from '../model/media/fixity.ts';
import type { FileType } from '../model/media/sniff.ts';
import type { Exchange } from '../model/response.ts';
import type { SafeDirectory } from '../platform/safe-directory.ts';
import { shortHash } from '../platform/short-hash.ts';
import type { DurablePart } from '../snapshot/row-types.ts';
import type { MediaWriter } from '../snapshot/write-media.ts';
import type { DiskThreads } from './disk-threads.ts';
import type { DownloadBudget } from './download-budget.ts';
import { openPartialFile, type PartialFileOptions } from './partial-file.ts';
import type { WantedFile } from './plan-files.ts';

/** What the limits of a run allow for one file. */
export type FileBudget = Pick<ReturnType<DownloadBudget['openFileBudget']>, 'expect' | 'count'>;

/** A complete file, synced to the disk under its temporary name. */
export interface DownloadedFile {
  /** Path in the snapshot. */
  partPath: string;
  measured: Measured & { sha256: string };
  /** Detected media type; undefined if it is not recognized. */
  type: FileType | undefined;
  /** Time of the response: ISO 8601 in UTC. */
  fetchedAt: string;
  status: number;
  /** The last request, with its redirects. For a resumed download, it requested the rest. */
  exchanges: readonly Exchange[];
  /** Bytes from earlier attempts or runs that were not downloaded again. */
  resumedBytes: number;
}

/** What `downloadFile` needs in addition to the file and the client. */
export interface DownloadContext {
  /** The snapshot's directory. */
  safeDir: SafeDirectory;
  disk: DiskThreads;
  writer: MediaWriter;
  fileBudget: FileBudget;
  signal: AbortSignal;
}

/** A smaller file starts over: downloading it again costs less than recording its progress. */
const MIN_RESUMABLE_BYTES = 256 * 1024;

/** Returns the path in the snapshot of a file's partial file. */
export const partPath = ({ basePath, url }: Pick<WantedFile, 'basePath' | 'url'>): string => `${basePath}.${shortHash(url)}.part`;

/**
 * Downloads a file. Returns a function that waits until the complete file is on the disk; meanwhile others may be downloaded.
 * Both throw the same errors. After an error the partial file remains if it can be resumed.
 * @throws {FetchError} if the file cannot be downloaded
 * @throws {FileSkippedError} if `fileBudget` does not allow it
 * @throws {Error} of the file system
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
  let completed: Pick<StreamingResponse, 'fetchedAt' | 'status' | 'exchanges'> | undefined;

  async function handleHeaders(response: StreamingResponse): Promise<void> {
    const { status, headers } = response;
    const encoded = isEncoded(headers['content-encoding']);
    if (status === 206) {
      const range = parseContentRange(headers['content-range']);
      const now = headers['etag'] ?? headers['last-modified'] ?? validator;
      const same = now === validator && range?.start === part.size() && !encoded;
      if (!same || (total !== undefined && range.total !== total)) {
        await asLocalError(discardProgress);
        throw new Error('the file changed during the download');
      }
      await asLocalError(() => range.total !== undefined && fileBudget.expect(range.total, part.size()));
      resumed = part.size();
      return;
    }
    await asLocalError(discardProgress);
    if (status === 416) throw new Error('the file is shorter than its partial file');
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
      for await (const chunk of decodeContent(response.body, response.headers['content-encoding'])) {
        const full = appendChunk(chunk);
        if (full) await asLocalError(() => full);
      }
      if (total !== undefined && part.size() < total)
        throw new Error(`the response ended after ${part.size()} of ${total} bytes`);
      completed = response;
    } catch (error) {
      response.destroy();
      throw error;
    }
  }

  /**
   * Returns a promise if the disk must be waited for.
   * @throws {LocalError} if the run is aborted, a limit is reached or the disk fails
   */
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

  /** Closes the partial file, and deletes it unless it can be resumed. */
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
  const { fetchedAt, status, exchanges } = completed as Pick<StreamingResponse, 'fetchedAt' | 'status' | 'exchanges'>;
  return () =>
    closeOnError(async () => ({ partPath: path, ...(await part.finish()), fetchedAt, status, exchanges, resumedBytes: resumed }));
}

/**
 * Returns the synced part of an earlier run's partial file. At least one byte is requested again, so that upstream's response
 * shows whether the file is unchanged.
 */
function resumePoint(known: DurablePart | undefined): PartialFileOptions['resumeFrom'] {
  if (known?.durable == null || known.sha256 === null) return undefined;
  return {
    checkpoint: { size: known.durable, sha256: known.sha256 },
    maxBytes: (known.total ?? Number.POSITIVE_INFINITY) - 1,
  };
}

/** Wraps an error of `work` in a `LocalError`, which is not retried: its cause is on this side, not upstream. */
async function asLocalError(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw toLocalError(cause);
  }
}

const toLocalError = (cause: unknown): LocalError => new LocalError((cause as Error).message, { cause });

/**
 * Deletes a file's partial file and its row.
 * @throws {UnsafePathError} if the path leads out of the snapshot
 */
export function deletePart(file: WantedFile, safeDir: SafeDirectory, writer: MediaWriter): void {
  writer.dropPart(file.url);
  safeDir.delete(partPath(file));
}

/** Returns a strong validator (RFC 9110 §8.8): a strong ETag, else a `Last-Modified` at least a second before `Date`. */
export function strongValidator(headers: Record<string, string>): string | undefined {
  const { etag, 'last-modified': modified, date } = headers;
  if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : undefined;
  const age = Date.parse(date ?? '') - Date.parse(modified ?? '');
  return age >= 1000 ? modified : undefined;
}

/** Parses a `Content-Range` such as `bytes 100-199/200`. Returns undefined for any other form. */
export function parseContentRange(header: string | undefined): { start: number; total: number | undefined } | undefined {
  const match = /^\s*bytes (\d+)-\d+\/(\d+|\*)\s*$/i.exec(header ?? '');
  return match ? { start: Number(match[1]), total: match[2] === '*' ? undefined : Number(match[2]) } : undefined;
}

/** Returns the size of a body in bytes; undefined if it is not declared, or declared for its compressed form. */
export function parseContentLength(headers: Record<string, string>): number | undefined {
  const length = headers['content-length'];
  return length !== undefined && /^\d+$/.test(length) && !isEncoded(headers['content-encoding']) ? Number(length) : undefined;
}

const isEncoded = (encoding: string | undefined): boolean => contentEncodings(encoding).length > 0;
