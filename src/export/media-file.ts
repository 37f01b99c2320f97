/** Media files of the snapshot on their way into a package: a damaged file is found before it gets a new checksum. */
import { UserError } from '../model/errors.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import { createDigest, type Digest } from './digest.ts';
import { readFile } from './package/package-content.ts';

/**
 * Checks that a media file has the size and the SHA-256 with which it was received.
 * @throws {UserError} if not.
 */
export function checkMediaFile({ path, size, sha256 }: Pick<StoredMedia, 'path' | 'size' | 'sha256'>, found: Digest): void {
  const isSame = (sha256 === null || found.checksums.sha256 === sha256) && (size === null || found.size === size);
  if (!isSame)
    throw new UserError(
      `The media file ${path} is damaged: it is not as it was received. Run "microfiche verify --repair", then export again.`,
    );
}

/**
 * Yields the content of a media file at `file`, and checks it as `checkMediaFile` does.
 * @throws {UserError} at the end, if the file is damaged.
 */
export async function* readMediaFile(
  row: Pick<StoredMedia, 'path' | 'size' | 'sha256'>,
  file: string,
): AsyncGenerator<Uint8Array> {
  const digest = createDigest(['sha256']);
  for await (const chunk of readFile(file)) {
    digest.update(chunk);
    yield chunk;
  }
  checkMediaFile(row, digest.digest());
}
