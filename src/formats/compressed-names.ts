/** Names of compressed copies: `index.html.gz` beside `index.html`, for hosts that send those instead of compressing. */

/** The encodings of compressed copies, named like their file extensions: gzip, Brotli, Zstandard. */
export const COPY_ENCODINGS = ['gz', 'br', 'zst'] as const;
/** An encoding of a compressed copy. */
export type CopyEncoding = (typeof COPY_ENCODINGS)[number];

/** Files of text. Images, recordings and the files of the search index are compressed already. */
const COMPRESSIBLE = /\.(?:html|css|m?js|json|svg|xml|txt|vtt|srt|csv|webmanifest)$/;
const COPY = new RegExp(`^(.+)\\.(${COPY_ENCODINGS.join('|')})$`);

/** Returns whether a file may have compressed copies. */
export const isCompressible = (path: string): boolean => COMPRESSIBLE.test(path);

/** Returns the path of the file of which this is a compressed copy; undefined if it is none. No other file has such a name. */
export function originalOfCopy(path: string): string | undefined {
  const original = COPY.exec(path)?.[1];
  return original !== undefined && isCompressible(original) ? original : undefined;
}

/** Returns the encoding of a compressed copy. */
export function encodingOfCopy(path: string): CopyEncoding | undefined {
  return COPY_ENCODINGS.find((encoding) => path.endsWith(`.${encoding}`));
}
