/** The content of a file of a package, and how it is read. */
import { lstatSync } from 'node:fs';
import { chunksOfFile } from '../../platform/file-chunks.ts';
import { tee } from '../../platform/in-parts.ts';
import { createDigest, type Digest } from '../digest.ts';
import { createStoredGzip } from './stored-gzip.ts';

/** The content of a file: its bytes, a file on the disk, or a stream. */
export type Content = Uint8Array | { file: string } | StreamedContent;

/** A stream of bytes and of files as gzip members. */
export interface StreamedContent {
  /** In bytes. It must be known except in a ZIP. */
  size?: number;
  read(): AsyncIterable<Uint8Array | GzipMember>;
  /** Gets the digest of a file that is not as its gzip member says. It may throw what to say of it. */
  onChanged?(file: string, found: Digest): void;
}

/** A gzip member without compression: some bytes, then a file, which has a size and a SHA-256, and some more bytes. */
export interface GzipMember {
  head: Uint8Array;
  file: string;
  size: number;
  sha256: string;
  end: Uint8Array;
}

/** Returns the size in bytes; undefined if it is not known. */
export function sizeOf(content: Content): number | undefined {
  if (content instanceof Uint8Array) return content.length;
  return 'file' in content ? lstatSync(content.file).size : content.size;
}

/** Yields the bytes of a content, and passes them to `onChunk`. It has no gzip members. A chunk is only valid until the next one. */
export async function* readContent(content: Content, onChunk: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  const chunks = content instanceof Uint8Array ? [content] : 'file' in content ? chunksOfFile(content.file) : content.read();
  yield* tee(chunks as Iterable<Uint8Array>, onChunk);
}

/** Gets a chunk, which is only valid until what it returns is fulfilled. */
export type OnChunk = (chunk: Uint8Array) => void | Promise<void>;

/** The code of an error that names a file that is not as its gzip member says, with its size and SHA-256. */
export const CHANGED_MEMBER = 'CHANGED_MEMBER';

/**
 * Passes the bytes of a content to `onChunk`.
 * @throws {Error} with the code `CHANGED_MEMBER`
 */
export async function eachChunk(content: Content, onChunk: OnChunk): Promise<void> {
  if (content instanceof Uint8Array) await onChunk(content);
  else if ('file' in content) await eachChunkOfFile(content.file, onChunk);
  else
    for await (const chunk of content.read()) {
      if (chunk instanceof Uint8Array) await onChunk(chunk);
      else await writeMember(chunk, onChunk);
    }
}

async function writeMember({ head, file, size, sha256, end }: GzipMember, write: OnChunk): Promise<void> {
  const digest = createDigest(['sha256']);
  const gzip = createStoredGzip();
  const add = async (chunk: Uint8Array) => {
    for (const bytes of gzip.add(chunk)) await write(bytes);
  };
  await add(head);
  await eachChunkOfFile(file, (chunk) => {
    digest.update(chunk);
    return add(chunk);
  });
  await add(end);
  await write(gzip.finish());
  const found = digest.digest();
  if (found.size === size && found.checksums['sha256'] === sha256) return;
  const described = { code: CHANGED_MEMBER, file, size: found.size, sha256: found.checksums['sha256'] };
  throw Object.assign(new Error(`${file} was changed.`), described);
}

/** Passes the bytes of a file to `onChunk`. */
async function eachChunkOfFile(file: string, onChunk: OnChunk): Promise<void> {
  for (const chunk of chunksOfFile(file)) {
    const waiting = onChunk(chunk);
    if (waiting) await waiting;
  }
}

/** Writes the files of a package, one after the other. */
export interface Sink {
  /** Writes a file. `each` passes its bytes to the function that it gets. The size must be known except in a ZIP. */
  add(path: string, size: number | undefined, each: (onChunk: OnChunk) => Promise<void>): Promise<void>;
  /** Completes the package. Resolves when it is on the disk. */
  finish(): Promise<void>;
}
