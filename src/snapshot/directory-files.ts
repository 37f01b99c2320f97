/** Lists and hashes the files of a directory. */
import { createHash, hash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { CHUNK_BYTES, idleBuffers, takeBuffer } from '../platform/file-chunks.ts';
import { readInto } from '../platform/read-start.ts';
import { walkDirectory } from '../platform/walk.ts';

/**
 * Lists all files below a directory, sorted by path: the path relative to it, with `/` as separator, and the path on disk. Links
 * are not followed. Empty if the directory does not exist.
 */
export function listFiles(directory: string): Array<[path: string, file: string]> {
  if (!existsSync(directory)) return [];
  return [...walkDirectory(directory)]
    .filter(([, entry]) => entry.isFile())
    .map(([path]): [string, string] => [path, join(directory, path)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the SHA-256 of a file in hexadecimal. Calls `onBytes` with the size of each chunk that was read. */
export async function sha256OfFile(file: string, onBytes?: (bytes: number) => void): Promise<string> {
  if (statSync(file).size > CHUNK_BYTES) return sha256OfLargeFile(file, onBytes);
  const buffer = takeBuffer();
  // faster than handing it to another thread
  const bytes = readInto(buffer, file);
  onBytes?.(bytes.length);
  const sha256 = hash('sha256', bytes);
  idleBuffers.push(buffer);
  return sha256;
}

/** Reads the next chunk while the last one is hashed. */
async function sha256OfLargeFile(file: string, onBytes?: (bytes: number) => void): Promise<string> {
  const hasher = createHash('sha256');
  await using handle = await open(file);
  let [buffer, other] = [takeBuffer(), takeBuffer()];
  let reading = handle.read(buffer, 0, CHUNK_BYTES, 0);
  for (let at = 0; ; ) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) break;
    at += bytesRead;
    reading = handle.read(other, 0, CHUNK_BYTES, at);
    hasher.update(buffer.subarray(0, bytesRead));
    onBytes?.(bytesRead);
    [buffer, other] = [other, buffer];
  }
  idleBuffers.push(buffer, other);
  return hasher.digest('hex');
}
