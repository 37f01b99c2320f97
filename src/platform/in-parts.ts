/** Streams of bytes: one after the other, and watched on their way. */

/** Yields the chunks of streams, one after the other. */
export async function* concatenate<Part>(
  streams: Iterable<Iterable<Part> | AsyncIterable<Part>> | AsyncIterable<Iterable<Part>>,
) {
  for await (const stream of streams) yield* stream;
}

/** Yields a stream's chunks, after `onChunk` got each. */
export async function* tee(stream: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
  for await (const chunk of stream) {
    onChunk(chunk);
    yield chunk;
  }
}
