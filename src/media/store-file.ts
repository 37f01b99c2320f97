/** Puts a received file in its place: verified or quarantined, once for the same bytes, and never half. */
import { formatMismatch, verifiedAlgorithms, verifyDeclarations } from '../model/fixity.ts';
import { EMPTY_FILE_CAUSE } from '../model/media.ts';
import type { SafeDirectory } from '../platform/safe-directory.ts';
import { shortHash } from '../platform/short-hash.ts';
import { moveIntoPlace, statMediaFile } from '../snapshot/media-files.ts';
import type { StoredMedia } from '../snapshot/read.ts';
import type { MediaRow, MediaWriter } from '../snapshot/write-media.ts';
import { type DownloadedFile, deletePart } from './download-file.ts';
import type { WantedFile } from './plan-files.ts';
import { typeProblem, UNKNOWN_TYPE } from './type-problem.ts';

/** Below the snapshot: files whose bytes are not what upstream says of them. */
export const QUARANTINE_DIRECTORY = 'quarantine';

/** Judges a whole file and keeps it, or says why not; the row is written when the file is where the row says. @throws UnsafePathError */
export function storeFile(
  file: WantedFile,
  { partPath, measured, type, fetchedAt, status }: DownloadedFile,
  safeDir: SafeDirectory,
  writer: MediaWriter,
): MediaRow {
  const { url, owner, kind, declarations } = file;
  const mismatches = verifyDeclarations(declarations, measured);
  const verified = mismatches.length === 0 ? verifiedAlgorithms(declarations) : [];
  // What upstream's own checksum proves is what upstream has, whatever it looks like.
  const problem = verified.length > 0 ? undefined : typeProblem(kind, type, declarations);
  const row: MediaRow = { url, owner, kind, state: 'failed', fetchedAt, status };
  if (problem !== undefined) {
    deletePart(file, safeDir, writer);
    return { ...row, cause: measured.size === 0 ? EMPTY_FILE_CAUSE : problem };
  }
  const { mimetype, extension } = type ?? UNKNOWN_TYPE;
  const { sha256, size } = measured;
  const storedRow: MediaRow = { ...row, state: 'stored', sha256, size, mimetype, proven: verified };
  return mismatches.length > 0
    ? quarantine({ ...storedRow, state: 'quarantined', cause: mismatches.map(formatMismatch).join('; ') }, file, extension)
    : storeOnce(storedRow, file, extension);

  function quarantine(quarantinedRow: MediaRow, { basePath }: WantedFile, fileExtension: string): MediaRow {
    const path = `${basePath.replace(/^media\//, `${QUARANTINE_DIRECTORY}/`)}.${shortHash(url)}.${fileExtension}`;
    movePart(path);
    writer.put({ ...quarantinedRow, path });
    return { ...quarantinedRow, path };
  }

  /** Of the places that files with these bytes would have, the first one has them: in whatever order they come, the end is the same. */
  function storeOnce(completeRow: MediaRow, { basePath }: WantedFile, fileExtension: string): MediaRow {
    const same = writer.withSum(sha256).filter((other) => other.url !== url && isFilePresent(other, safeDir));
    const others = [...new Set(same.map(({ path }) => path as string))].sort();
    const usual = `${basePath}.${fileExtension}`;
    const own = writer.isTaken(usual, url) && !others.includes(usual) ? `${basePath}.${shortHash(url)}.${fileExtension}` : usual;
    const [path = own] = [own, ...others].sort();
    movePart(path); // also where a file is: that one is only said to have these bytes
    // A run that was killed may have left this very file in its own place, without a row.
    const freed = new Set([...others, own].filter((other) => other !== path));
    writer.put({ ...completeRow, path }, [...freed]);
    return { ...completeRow, path };
  }

  function movePart(path: string): void {
    moveIntoPlace(safeDir, partPath, path);
    writer.placed(path);
  }
}

/** Whether a stored row's file is there, as long as it should be. */
export function isFilePresent({ path, size }: Pick<StoredMedia, 'path' | 'size'>, safeDir: SafeDirectory): boolean {
  return path !== null && size !== null && statMediaFile(safeDir, path, 'stored')?.size === size;
}
