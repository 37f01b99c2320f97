/** The content of a file of a package, and how it is read. */
import { createReadStream, lstatSync, readFileSync } from 'node:fs';
import { tee } from '../../platform/in-parts.ts';

/** The content of a file: its bytes, a file on the disk, or a stream, whose size in bytes must be known except in a ZIP. */
export type Content = Uint8Array | { file: string } | { size?: number; read: () => AsyncIterable<Uint8Array> };

/** Bytes that are read at a time. */
const CHUNK_BYTES = 256 * 1024;

/** Returns the size in bytes; undefined if it is not known. */
export function sizeOf(content: Content): number | undefined {
  if (content instanceof Uint8Array) return content.length;
  return 'file' in content ? lstatSync(content.file).size : content.size;
}

/** Yields the bytes of a content, and passes them to `onChunk`. */
export async function* readContent(content: Content, onChunk: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  const chunks = content instanceof Uint8Array ? [content] : 'file' in content ? readFile(content.file) : content.read();
  yield* tee(chunks, onChunk);
}

/** Returns the bytes of a file in parts. Not a stream, which allocates a whole part even for a small file: slow to collect. */
export function readFile(file: string): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (lstatSync(file).size <= CHUNK_BYTES) return [readFileSync(file)];
  return createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>;
}

/** Writes the files of a package, one after the other. */
export interface Sink {
  /** Writes a file, and passes its bytes to `onChunk`. A chunk is only valid during the call. */
  add(path: string, content: Content, onChunk: (chunk: Uint8Array) => void): Promise<void>;
  /** Completes the package. Resolves when it is on the disk. */
  finish(): Promise<void>;
}
