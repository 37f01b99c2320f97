/** What stands in a folder, for the steps that read whole folders. */
import { createHash, hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { walkDirectory } from '../platform/walk.ts';

/** Every file below a folder, in the order of paths: its path with `/`, and where it stands. No link is followed. None where there is no such folder. */
export function listFiles(directory: string): Array<[path: string, file: string]> {
  if (!existsSync(directory)) return [];
  return [...walkDirectory(directory)]
    .filter(([, entry]) => entry.isFile())
    .map(([path]): [string, string] => [path, join(directory, path)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Bytes that are read at once: of a larger file the next piece comes while the last one is summed. */
const CHUNK_BYTES = 1024 * 1024;

/** SHA-256 of a file in hexadecimal; `onBytes` is told how many were read. */
export async function sha256OfFile(file: string, onBytes?: (bytes: number) => void): Promise<string> {
  if (statSync(file).size <= CHUNK_BYTES) {
    const bytes = readFileSync(file); // sooner done than handed to another thread
    onBytes?.(bytes.length);
    return hash('sha256', bytes);
  }
  const sum = createHash('sha256');
  const handle = await open(file);
  let [buffer, other] = [
    idleBuffers.pop() ?? Buffer.allocUnsafe(CHUNK_BYTES),
    idleBuffers.pop() ?? Buffer.allocUnsafe(CHUNK_BYTES),
  ];
  try {
    let reading = handle.read(buffer, 0, CHUNK_BYTES, 0);
    for (let at = 0; ; ) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) break;
      at += bytesRead;
      reading = handle.read(other, 0, CHUNK_BYTES, at);
      sum.update(buffer.subarray(0, bytesRead));
      onBytes?.(bytesRead);
      [buffer, other] = [other, buffer];
    }
  } finally {
    await handle.close();
  }
  idleBuffers.push(buffer, other);
  return sum.digest('hex');
}

/** Memory for pieces that nobody reads into just now. */
const idleBuffers: Buffer[] = [];

/** Removes a folder (a path below `top`) that is empty now, and those above it that become so. */
export function deleteEmptyDirectories(root: string, directory: string): void {
  for (let path = directory; path !== '.' && existsSync(join(root, path)); path = dirname(path)) {
    if (readdirSync(join(root, path)).length > 0) return;
    rmdirSync(join(root, path));
  }
}
