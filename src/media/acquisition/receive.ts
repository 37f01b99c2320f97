/** Receives one file: to a part beside its place, from where an earlier try stopped if upstream allows, within the limits of the run. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Client } from '../../http/client.ts';
import type { Arriving } from '../../http/exchange.ts';
import { Halt, Refused } from '../../http/failure.ts';
import { algorithmsFor, type Measured } from '../../model/fixity.ts';
import { shortHash } from '../../model/slug.ts';
import type { MediaWriter } from '../../snapshot/write-media.ts';
import { openPart, type Part } from './part.ts';
import type { WantedFile } from './plan.ts';

/** What a run allows. */
export interface Allowance {
  /** Says how long the file will be, as soon as that is known. @throws what ends the file. */
  expect(total: number): void;
  /** Says that so many bytes more have come; `size` is what is there of the file. @throws as `expect` */
  count(bytes: number, size: number): void;
}

/** A whole file, still under its temporary name. */
export interface ReceivedFile {
  /** Absolute. */
  part: string;
  measured: Measured & { sha256: string };
  /** All of a small file, else where it stands. */
  bytes: Uint8Array | string;
  /** ISO 8601 in UTC. */
  fetchedAt: string;
  status: number;
  /** Bytes that were there from an earlier try. */
  resumed: number;
}

/** What receiving takes, besides the file and who is asked. */
export interface Receiving {
  /** The snapshot's folder. */
  dir: string;
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

/** @throws FetchFailure, what the allowance throws, or the file system's error. What came is kept where it can be gone on with. */
export async function receive(
  file: WantedFile,
  client: Client,
  { dir, writer, allowance, signal }: Receiving,
): Promise<ReceivedFile> {
  const { url, declarations } = file;
  const path = partPath(file);
  const known = writer.part(url);
  let validator = known?.path === path ? known.validator : undefined;
  let total = known?.total ?? undefined;
  // One byte at least is asked for again: so upstream tells whether the file is still the same.
  const keep = validator === undefined ? 0 : (total ?? Number.POSITIVE_INFINITY) - 1;
  const part = await openPart(join(dir, path), algorithmsFor(declarations), keep);
  let resumed = 0;
  let whole = false;
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

  async function forget(): Promise<void> {
    if (validator !== undefined) writer.dropPart(url);
    validator = undefined;
    total = undefined;
    resumed = 0;
    await part.reset();
  }

  try {
    await client.download(
      url,
      {
        size: () => part.size(),
        headers: (): Record<string, string> =>
          validator !== undefined && part.size() > 0
            ? { 'accept-encoding': 'identity', range: `bytes=${part.size()}-`, 'if-range': validator }
            : { 'accept-encoding': 'identity' },
        async take(answer) {
          try {
            await begin(answer);
            for await (const chunk of decoded(answer)) {
              await local(() => {
                signal.throwIfAborted();
                allowance.count(chunk.length, part.size() + chunk.length);
                return part.append(chunk);
              });
            }
            if (total !== undefined && part.size() < total)
              throw new Error(`the answer ended after ${part.size()} of ${total} bytes`);
            answered = answer;
          } catch (error) {
            answer.drop();
            throw error;
          }
        },
      },
      signal,
    );
    const { measured, bytes } = await part.finish();
    whole = true;
    const { fetchedAt, status } = answered as Pick<Arriving, 'fetchedAt' | 'status'>;
    return { part: join(dir, path), measured, bytes, fetchedAt, status, resumed };
  } finally {
    await leave(part, join(dir, path), validator !== undefined || whole);
  }
}

/** What goes wrong on this side ends the asking: no further try would mend it. */
async function local(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new Halt((cause as Error).message, { cause });
  }
}

async function leave(part: Part, file: string, keep: boolean): Promise<void> {
  try {
    await part.close();
  } finally {
    if (!keep) await rm(file, { force: true });
  }
}

/** Removes what a file on its way has left. */
export async function discard(file: WantedFile, dir: string, writer: MediaWriter): Promise<void> {
  writer.dropPart(file.url);
  await rm(join(dir, partPath(file)), { force: true });
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
  const decoder = DECODERS[encoding];
  if (!decoder) throw new Refused(`the body has the encoding ${encoding}, which cannot be undone`);
  // What goes wrong in it is thrown where it is read.
  return pipeline(Readable.from(body), decoder(), () => undefined);
}
