/** Makes compressed copies of files, the same bytes each time, and checks that one decompresses to its file. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { type CopyEncoding, encodingOfCopy } from '../formats/compressed-names.ts';

/** Increased when the settings of the encoders change. */
const RECIPE = 1;
const GZIP_LEVEL = 9;
/** The highest quality, 11, takes three times as long and saves another three percent. */
const BROTLI_QUALITY = 10;
const ZSTD_LEVEL = 15;
/** Byte of a gzip header with the operating system; 255 is unknown (RFC 1952). */
const GZIP_OS_BYTE = 9;
/** Files in which fewer bytes could be saved are sent in as many packets without. */
const MIN_BYTES = 1024;
/** Larger files are not compressed, because that takes several times their size in memory. */
const MAX_BYTES = 64 * 1024 ** 2;
/** A copy is at most this share of its file. */
const MAX_SHARE = 0.9;

/** Names what decides on the bytes of a copy, apart from its file. */
export const COPY_RECIPE = [RECIPE, process.versions['zlib'], process.versions['brotli'], process.versions['zstd']].join(' ');

/** Returns whether copies of a file of this size, in bytes, are made. */
export const isSizeForCopies = (size: number): boolean => size >= MIN_BYTES && size <= MAX_BYTES;

/** Returns the compressed copy of a file's bytes; undefined if it would save less than a tenth. */
export function compressCopy(bytes: Buffer, encoding: CopyEncoding): Buffer | undefined {
  const copy = ENCODERS[encoding](bytes);
  return copy.length <= bytes.length * MAX_SHARE ? copy : undefined;
}

const ENCODERS: Readonly<Record<CopyEncoding, (bytes: Buffer) => Buffer>> = {
  gz: (bytes) => {
    const copy = zlib.gzipSync(bytes, { level: GZIP_LEVEL });
    copy[GZIP_OS_BYTE] = 255; // zlib writes the time 0, but the operating system
    return copy;
  },
  br: (bytes) =>
    zlib.brotliCompressSync(bytes, {
      params: {
        [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT,
        [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  zst: (bytes) =>
    zlib.zstdCompressSync(bytes, {
      params: { [zlib.constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
      pledgedSrcSize: bytes.length,
    }),
};

const DECODERS = { gz: zlib.createGunzip, br: zlib.createBrotliDecompress, zst: zlib.createZstdDecompress };

/** Returns whether a compressed copy on the disk decompresses to `size` bytes with this SHA-256. Reads no more than that. */
export async function decompressesTo(file: string, { size, sha256 }: { size: number; sha256: string }): Promise<boolean> {
  const encoding = encodingOfCopy(file);
  if (encoding === undefined) return false;
  const hash = createHash('sha256');
  let read = 0;
  try {
    await pipeline(createReadStream(file), DECODERS[encoding](), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        read += chunk.length;
        if (read > size) return; // stops the stream with ABORT_ERR
        hash.update(chunk);
      }
    });
  } catch (error) {
    if (DECODING_ERROR.test((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
  return read === size && hash.digest('hex') === sha256;
}

/** Errors of the file system have other codes. */
const DECODING_ERROR = /^(?:Z_|ERR_|ZSTD_|ABORT_ERR)/;
