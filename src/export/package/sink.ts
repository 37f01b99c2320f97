/** Where the files of a package go. */
import type { Content } from './package-content.ts';

/** Writes the files of a package, one after the other. */
export interface Sink {
  /** Writes a file, and passes its bytes to `onChunk`. A chunk is only valid during the call. */
  add(path: string, content: Content, onChunk: (chunk: Uint8Array) => void): Promise<void>;
  /** Completes the package. Resolves when it is on the disk. */
  finish(): Promise<void>;
  /** Stops writing. What was written remains. */
  abort(): Promise<void>;
}
