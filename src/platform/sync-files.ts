/** Waits until files are on the disk, for several at the same time. */
import { close, closeSync, fsync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Files synced at the same time: in sequence, it takes several times as long, because each waits for the journal. */
const MAX_SYNCS = 4;
const [syncFile, closeFile] = [promisify(fsync), promisify(close)];

/** Syncs and closes a file. */
export const syncAndClose = (handle: number): Promise<void> => syncFile(handle).finally(() => closeFile(handle));

/** Syncs and closes files, of which some wait at the same time. When it is disposed of, none is open. */
export function openSyncs() {
  const syncs = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  const throwFailure = () => {
    if (failure) throw failure.error;
  };
  return {
    /** Writes a file. Then syncs and closes it, without waiting for it. */
    async add(handle: number, chunks: AsyncIterable<Uint8Array>) {
      try {
        for await (const chunk of chunks) writeFileSync(handle, chunk);
      } catch (error) {
        closeSync(handle);
        throw error;
      }
      while (syncs.size >= MAX_SYNCS) await Promise.race(syncs);
      const done: Promise<void> = syncAndClose(handle)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => syncs.delete(done));
      syncs.add(done);
      throwFailure();
    },
    /** Waits for all files. */
    async finish() {
      await Promise.all(syncs);
      throwFailure();
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all(syncs)),
  };
}
