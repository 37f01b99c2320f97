/** Streams of bytes from one thread to another. */

/** A stream whose parts are posted by the main thread. */
export interface PostedStream {
  parts: AsyncIterable<Uint8Array>;
  /** Adds a part; undefined at the end. */
  push(id: number, part: Uint8Array | undefined): void;
  /** Makes the reader throw an error. */
  fail(error: Error): void;
}

/** Returns a stream. Each part that is read is acknowledged with its ID. */
export function createPostedStream(acknowledge: (part: { id: number }) => void): PostedStream {
  const queue: Array<{ id: number; part: Uint8Array | undefined }> = [];
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      while (queue.length === 0) {
        if (failure) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const { id, part } = queue.shift() as (typeof queue)[number];
      acknowledge({ id });
      if (part === undefined) return;
      yield part;
    }
  }
  return {
    parts: read(),
    push(id, part) {
      queue.push({ id, part });
      wake();
    },
    fail(error) {
      failure = error;
      wake();
    },
  };
}
