/** Decodes content encodings, which some servers send although none was requested. */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** Creates a decoder for a body with these first two bytes; undefined if the body is not encoded, although its header says so. */
type CreateDecoder = (first: number, second: number) => Transform | undefined;

/** Some servers confuse gzip and deflate. */
const createUnzip: CreateDecoder = (first, second) => {
  if (first === 0x1f && second === 0x8b) return createGunzip();
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0 ? createInflate() : undefined;
};

const DECODERS: Readonly<Record<string, CreateDecoder>> = {
  // Some storage loses the header of gzip. No text in UTF-8 begins like it.
  undeclared: (first, second) => (first === 0x1f && second === 0x8b ? createGunzip() : undefined),
  gzip: createUnzip,
  'x-gzip': createUnzip,
  // It should have the header of zlib, but some servers leave that out. No other encoded text begins like JSON.
  deflate: (first, second) => createUnzip(first, second) ?? (first === 0x7b || first === 0x5b ? undefined : createInflateRaw()),
  br: (first) => (first === 0x7b ? undefined : createBrotliDecompress()),
  // Of a frame, or of one to be skipped.
  zstd: (_, second) => (second === 0xb5 || second === 0x2a ? createZstdDecompress() : undefined),
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
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const next = await source.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  if (start.length === 0) return;
  async function* all() {
    yield start;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  const decoder = (DECODERS[name] as CreateDecoder)(start[0] ?? 0, start[1] ?? 0);
  try {
    // The callback has nothing to do: the reader of the stream receives the errors.
    yield* decoder === undefined ? all() : pipeline(Readable.from(all()), decoder, () => undefined);
  } catch (cause) {
    if (!/^(?:Z_|ERR__|ZSTD)/.test((cause as { code?: string }).code ?? '')) throw cause;
    throw new Error(`the response body is not valid ${name}`, { cause });
  }
}
