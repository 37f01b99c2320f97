/** What the option `--compress` means, and what a build prints about compressed copies. */
import { COPY_ENCODINGS, type CopyEncoding } from '../src/client/compressed-names.ts';
import { UsageError } from '../src/model/errors.ts';
import type { PublishResult } from '../src/pipeline/publish.ts';
import { formatBytes } from '../src/platform/quantities.ts';
import type { BuildFlags } from './build-options.ts';

/**
 * Returns the encodings of the copies that a build makes. If a setting names some for a site that no web server sends, there are none, and a
 * note that reports it.
 * @throws {UsageError} if the command line names some for such a site
 */
export function chooseEncodings(
  { compact, kiosk, compress = [] }: Partial<Pick<BuildFlags, 'compact' | 'kiosk' | 'compress'>>,
  isSetting: boolean,
): { compress: CopyEncoding[]; notes: string[] } {
  const kind = compact ? '--compact' : kiosk ? '--kiosk' : undefined;
  if (kind === undefined || compress.length === 0)
    return { compress: COPY_ENCODINGS.filter((encoding) => compress.includes(encoding)), notes: [] };
  if (!isSetting)
    throw new UsageError(`${kind} builds are not for web servers, which use compressed copies: leave out --compress.`);
  return {
    compress: [],
    notes: [`The setting "compress" is for web servers, so this ${kind} build has no compressed copies.`],
  };
}

/** Returns the lines of a report about the compressed copies of a site. */
export function compressedLines({ compressed: { files, bytes, made } }: Pick<PublishResult, 'compressed'>): string[] {
  return files === 0 ? [] : [`Compressed copies among them: ${files}, ${formatBytes(bytes)}. Made: ${made}.`];
}
