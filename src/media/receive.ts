/** Receives one file: to a part beside its place, from where an earlier try stopped if upstream allows, within the limits of the run. */
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Client } from '../http/client.ts';
import type { Arriving } from '../http/exchange.ts';
import { Halt, Refused } from '../http/failure.ts';
import { algorithmsFor, type Measured } from '../model/fixity.ts';
import type { FileType } from '../model/sniff.ts';
import type { Contained } from '../platform/contained.ts';
import { shortHash } from '../platform/short-hash.ts';
import type { DurablePart, MediaWriter } from '../snapshot/write-media.ts';
import type { Disk } from './disk.ts';
import { openPart, type PartOptions } from './part.ts';
import type { WantedFile } from './plan.ts';

/** What a run allows. */
export interface Allowance {
  /** Says how long the file will be, as soon as that is known; `present` bytes of it are there from an earlier run. @throws what ends the file. */
  expect(total: number, present?: number): void;
  /** Says that so many bytes more have come; `size` is what is there of the file. @throws as `expect` */
  count(bytes: number, size: number): void;
}

/** A whole file, still under its temporary name, and on the disk. */
export interface ReceivedFile {
  /** Below the snapshot. */
  part: string;
  measured: Measured & { sha256: string };
  /** What its bytes are; undefined for what is not known. */
  type: FileType | undefined;
  /** ISO 8601 in UTC. */
  fetchedAt: string;
  status: number;
  /** Bytes that were there from an earlier try. */
  resumed: number;
}

/** What receiving takes, besides the file and who is asked. */
export interface Receiving {
  /** The snapshot's folder. */
  inside: Contained;
  disk: Disk;
  writer: MediaWriter;
  allowance: Allowance;
  signal: AbortSignal;
}

/** Files shorter than this begin anew sooner than that anything is noted of them. */
const WORTH_RESUMING = 256 * 1024;

/** Where the part of a file stands, below the snapshot. */
export function partPath({ base, url }: Pick<WantedFile, 'base' | 'url'>): string {
  return `${base}.${shortHash(url)}.part`;
}

/**
 * Downloads a file. The result is called for the whole file: it waits until that is on the disk, and others may be downloaded meanwhile.
 * @throws FetchFailure, what the allowance throws, or the file system's error; also when called. What came is kept where it can be resumed.
 */
export async function receive(
  file: WantedFile,
  client: Client,
  { inside, disk, writer, allowance, signal }: Receiving,
): Promise<() => Promise<ReceivedFile>> {
  const { url, declarations } = file;
  const path = partPath(file);
  const row = writer.part(url);
  const known = row?.path === path ? row : undefined;
  let validator = known?.validator;
  let total = known?.total ?? undefined;
  const part = await openPart(disk, {
    path,
    algorithms: algorithmsFor(declarations),
    left: leftOf(known),
    onCheckpoint: ({ size, sha256 }) => {
      if (validator !== undefined) writer.putCheckpoint(url, size, sha256);
    },
    absolute: () => inside.at(path),
  });
  let resumed = 0;
  let answered: Pick<Arriving, 'fetchedAt' | 'status'> | undefined;

  async function begin(answer: Arriving): Promise<void> {
    const { status, headers } = answer;
    const encoded = isEncoded(headers['content-encoding']);
    if (status === 206) {
      const range = rangeOf(headers['content-range']);
      const now = headers['etag'] ?? headers['last-modified'] ?? validator;
      const same = now === validator && range?.start === part.size() && !encoded;
      if (!same || (total !== undefined && range.total !== total)) {
        await local(forget);
        throw new Error('the file changed while it was fetched');
      }
      await local(() => range.total !== undefined && allowance.expect(range.total, part.size()));
      resumed = part.size();
      return;
    }
    await local(forget);
    if (status === 416) throw new Error('the file is shorter than what was there of it');
    total = lengthOf(headers);
    await local(() => total !== undefined && allowance.expect(total));
    if (encoded || headers['accept-ranges'] === 'none' || (total ?? WORTH_RESUMING) < WORTH_RESUMING) return;
    validator = validatorOf(headers);
    await local(() => validator !== undefined && writer.putPart({ url, path, validator, total: total ?? null }));
  }

  function forget(): void {
    if (validator !== undefined) writer.dropPart(url);
    validator = undefined;
    total = undefined;
    resumed = 0;
    part.reset();
  }

  async function take(answer: Arriving): Promise<void> {
    try {
      await begin(answer);
      for await (const chunk of decoded(answer)) {
        const full = takeIn(chunk);
        if (full) await local(() => full);
      }
      if (total !== undefined && part.size() < total) throw new Error(`the answer ended after ${part.size()} of ${total} bytes`);
      answered = answer;
    } catch (error) {
      answer.drop();
      throw error;
    }
  }

  /** A promise where the disk is to be waited for. @throws Halt */
  function takeIn(chunk: Buffer): Promise<void> | undefined {
    try {
      signal.throwIfAborted();
      allowance.count(chunk.length, part.size() + chunk.length);
      return part.append(chunk);
    } catch (cause) {
      throw halt(cause);
    }
  }

  const headers = (): Record<string, string> =>
    validator !== undefined && part.size() > 0
      ? { 'accept-encoding': 'identity', range: `bytes=${part.size()}-`, 'if-range': validator }
      : { 'accept-encoding': 'identity' };

  /** Closes the part; it stays only where it can be resumed. */
  async function leave(): Promise<void> {
    if (validator !== undefined) return part.keep();
    await part.close();
    inside.remove(path);
  }

  async function orLeave<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await leave();
      throw error;
    }
  }

  await orLeave(() => client.download(url, { size: () => part.size(), headers, take }, signal));
  const { fetchedAt, status } = answered as Pick<Arriving, 'fetchedAt' | 'status'>;
  return () => orLeave(async () => ({ part: path, ...(await part.finish()), fetchedAt, status, resumed }));
}

/** What an earlier run has left of a file, as far as it is known to be on the disk. One byte at least is asked for again: so upstream tells whether the file is still the same. */
function leftOf(known: DurablePart | undefined): PartOptions['left'] {
  if (known?.durable == null || known.sha256 === null) return undefined;
  return {
    checkpoint: { size: known.durable, sha256: known.sha256 },
    keep: (known.total ?? Number.POSITIVE_INFINITY) - 1,
  };
}

/** What goes wrong on this side ends the asking: no further try would mend it. */
async function local(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw halt(cause);
  }
}

function halt(cause: unknown): Halt {
  return new Halt((cause as Error).message, { cause });
}

/** Removes what a file on its way has left. @throws UnsafePath */
export function discard(file: WantedFile, inside: Contained, writer: MediaWriter): void {
  writer.dropPart(file.url);
  inside.remove(partPath(file));
}

/** A strong validator (RFC 9110 §8.8): an ETag that is not weak, else a date that was at least a second old. */
export function validatorOf(headers: Record<string, string>): string | undefined {
  const { etag, 'last-modified': modified, date } = headers;
  if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : undefined;
  const age = Date.parse(date ?? '') - Date.parse(modified ?? '');
  return age >= 1000 ? modified : undefined;
}

/** `bytes 100-199/200`; undefined for anything else. */
export function rangeOf(header: string | undefined): { start: number; total: number | undefined } | undefined {
  const match = /^\s*bytes (\d+)-\d+\/(\d+|\*)\s*$/i.exec(header ?? '');
  return match ? { start: Number(match[1]), total: match[2] === '*' ? undefined : Number(match[2]) } : undefined;
}

/** How long a body will be, in bytes; undefined where that is not said, or said of its packed form. */
export function lengthOf(headers: Record<string, string>): number | undefined {
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
function decoded({ body, headers }: Arriving): AsyncIterable<Buffer> {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || !isEncoded(encoding)) return body;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!decoder) throw new Refused(`the body has the encoding ${encoding}, which cannot be undone`);
  // What goes wrong in it is thrown where it is read.
  return pipeline(Readable.from(body), decoder(), () => undefined);
}
