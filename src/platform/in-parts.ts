/** Streams of bytes: watched on their way, and divided into parts of one size, however the bytes arrive. */

/** Yields a stream's bytes in parts of `size` bytes, each with its own memory. Only the last may be shorter; none is empty. */
export async function* inParts(stream: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of stream)
    for (let taken = 0; taken < chunk.length; ) {
      const piece = chunk.subarray(taken, taken + size - filled);
      part.set(piece, filled);
      taken += piece.length;
      filled += piece.length;
      if (filled < size) continue;
      yield part;
      part = new Uint8Array(size);
      filled = 0;
    }
  if (filled > 0) yield part.slice(0, filled);
}

/** Yields the chunks of streams, one after the other. */
export async function* concatenate(streams: Iterable<Iterable<Uint8Array> | AsyncIterable<Uint8Array>>) {
  for (const stream of streams) yield* stream;
}

/** Yields a stream's chunks, after `onChunk` got each. */
export async function* tee(stream: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
  for await (const chunk of stream) {
    onChunk(chunk);
    yield chunk;
  }
}
