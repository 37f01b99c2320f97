/** Writes a TAR file: the same files in the same order give the same bytes, since times, owners and permissions are fixed. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { pack as createTar } from 'tar-stream';
import { syncAndClose } from './sync-files.ts';

const FILE_MODE = 0o644;
/** Seconds since 1970 are the same in each time zone. */
const TIME = new Date(Date.UTC(1985, 0, 1));
/** The bytes of a file are filled up to a multiple of it. */
const BLOCK_BYTES = 512;
/** What comes after the last file. */
const TAR_END = Buffer.alloc(2 * BLOCK_BYTES);

/** Creates a TAR file, which must not exist. */
export function openTar(file: string) {
  const open = new DisposableStack();
  const handle = open.adopt(openSync(file, 'wx'), closeSync);
  const write = (bytes: Uint8Array) => writeFileSync(handle, bytes);
  return {
    /**
     * Adds a file of `size` bytes.
     * @throws {Error} of the file system, for example if the disk is full.
     */
    async add(path: string, size: number, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
      write(await headerOf(path, size));
      let written = 0;
      for await (const chunk of chunks) {
        written += chunk.length;
        write(chunk);
      }
      if (written !== size) throw new Error(`${path} has ${written} bytes, not ${size}.`);
      write(TAR_END.subarray(0, -size & (BLOCK_BYTES - 1)));
    },
    /** Completes the file. */
    async finish() {
      write(TAR_END);
      open.move();
      await syncAndClose(handle); // closes it even if it fails
    },
    /** Stops writing. An incomplete file remains. */
    [Symbol.dispose]: () => open.dispose(),
  };
}

/** Returns what comes before the bytes of a file. */
async function headerOf(path: string, size: number): Promise<Buffer> {
  const tar = createTar();
  // A header has eleven octal digits for the size. tar-stream writes a larger one in a form of GNU, unless it is in a PAX record.
  const ofSize = size >= 8 ** 11 ? { size: 0, pax: { size: String(size) } } : { size };
  tar.entry({ name: path, ...ofSize, mode: FILE_MODE, mtime: TIME, uid: 0, gid: 0, uname: '', gname: '' });
  await new Promise<void>((resolve) => tar.once('readable', resolve));
  const parts: Buffer[] = [];
  for (let part = tar.read() as Buffer | null; part; part = tar.read() as Buffer | null) parts.push(part);
  return Buffer.concat(parts);
}
