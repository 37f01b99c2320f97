/** Decodes content encodings, which some servers send although none was requested. */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** Creates a decoder for a body with these first bytes. */
type CreateDecoder = (firstBytes: Buffer) => Transform;

const DECODERS: Readonly<Record<string, CreateDecoder>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // It should have the header of zlib, but some servers leave that out.
  deflate: (firstBytes) => (((firstBytes[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

/** Returns the encodings in a Content-Encoding header that change the body. Ignores others, such as `utf-8`, as browsers do. */
export function contentEncodings(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => Object.hasOwn(DECODERS, name)).slice(0, MAX_ENCODINGS);
}

/** A body with more encodings is made to use up memory. */
const MAX_ENCODINGS = 3;

/** Returns the decoded body, as it arrives. An empty body is not decoded. Reading it throws an error if the body is not valid. */
export function decodeContent(body: AsyncIterable<Buffer>, header: string | undefined): AsyncIterable<Buffer> {
  return contentEncodings(header).reduceRight(decodeOnce, body);
}

async function* decodeOnce(body: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const source = body[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return;
  async function* all() {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  const decoder = (DECODERS[name] as CreateDecoder)(first.value);
  try {
    // The callback has nothing to do: the reader of the stream receives the errors.
    yield* pipeline(Readable.from(all()), decoder, () => undefined);
  } catch (cause) {
    if (!/^(?:Z_|ERR__|ZSTD)/.test((cause as { code?: string }).code ?? '')) throw cause;
    throw new Error(`the response body is not valid ${name}`, { cause });
  }
}
