/** The content of a file of a package, and how it is read. */
import { lstatSync } from 'node:fs';
import { chunksOfFile } from '../../platform/file-chunks.ts';
import { tee } from '../../platform/in-parts.ts';
import { createDigest, type Digest } from '../digest.ts';
import { createStoredGzip } from './stored-gzip.ts';

/** The content of a file: its bytes, a file on the disk, or a stream. */
export type Content = Uint8Array | { file: string } | StreamedContent;

/** A part of a stream: bytes, or a file as a gzip member. */
export type StreamPart = Uint8Array | GzipMember;

/** A stream of bytes and of files as gzip members. */
export interface StreamedContent {
  /** In bytes. It must be known except in a ZIP. */
  size?: number | undefined;
  /** Its chunks stay valid. */
  read(): AsyncIterable<StreamPart>;
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

/** The code of an error that names a file that is not as its gzip member says, with its size and SHA-256. */
export const CHANGED_MEMBER = 'CHANGED_MEMBER';

/**
 * Yields the bytes of a content, and passes them to `onChunk`. A chunk is only valid until the next one.
 * @throws {Error} with the code `CHANGED_MEMBER`
 */
export async function* readContent(content: Content, onChunk: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield* tee([content], onChunk);
  else if ('file' in content) yield* tee(chunksOfFile(content.file), onChunk);
  else for await (const part of content.read()) yield* tee(part instanceof Uint8Array ? [part] : chunksOfMember(part), onChunk);
}

function* chunksOfMember({ head, file, size, sha256, end }: GzipMember): Generator<Uint8Array> {
  const digest = createDigest(['sha256']);
  const gzip = createStoredGzip();
  yield* gzip.add(head);
  for (const chunk of chunksOfFile(file)) {
    digest.update(chunk);
    yield* gzip.add(chunk);
  }
  yield* gzip.add(end);
  yield gzip.finish();
  const { size: found, checksums } = digest.digest();
  if (found === size && checksums['sha256'] === sha256) return;
  const described = { code: CHANGED_MEMBER, file, size: found, sha256: checksums['sha256'] };
  throw Object.assign(new Error(`${file} was changed.`), described);
}

/** Writes the files of a package, one after the other. */
export interface Sink {
  /** Writes a file. The size must be known except in a ZIP. A chunk is only valid until the next one. */
  add(path: string, size: number | undefined, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Completes the package. Resolves when it is on the disk. */
  finish(): Promise<void>;
}
