/** Stores a downloaded file in the snapshot: verified or quarantined, deduplicated, and atomically. */
import { type FileDeclaration, formatMismatch, verifiedAlgorithms, verifyDeclarations } from '../model/media/fixity.ts';
import { EMPTY_FILE_CAUSE } from '../model/media/media.ts';
import type { MediaKind } from '../model/media/media-kinds.ts';
import { ERROR_MESSAGE, type FileType, UNKNOWN_TYPE } from '../model/media/sniff.ts';
import type { SafeDirectory } from '../platform/safe-directory.ts';
import { shortHash } from '../platform/short-hash.ts';
import { MEDIA_DIRECTORIES } from '../snapshot/file-names.ts';
import { moveIntoPlace, statMediaFile } from '../snapshot/media-files.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import type { MediaRow, MediaWriter } from '../snapshot/write-media.ts';
import { type DownloadedFile, deletePart } from './download-file.ts';
import type { WantedFile } from './plan-files.ts';

/**
 * Verifies a complete file, and stores it, quarantines it or deletes it. Returns its row, which is written after the file is at
 * its path; a row with the state `failed` is not written.
 * @throws {UnsafePathError} if the path leads out of the snapshot
 */
export function storeFile(
  file: WantedFile,
  { partPath, measured, type, fetchedAt, status, exchanges }: DownloadedFile,
  safeDir: SafeDirectory,
  writer: MediaWriter,
): MediaRow {
  const { url, owner, kind, declarations } = file;
  const mismatches = verifyDeclarations(declarations, measured);
  const verified = mismatches.length === 0 ? verifiedAlgorithms(declarations) : [];
  // A file that matches upstream's own checksum is stored regardless of its type.
  const problem = verified.length > 0 ? undefined : typeProblem(kind, type, declarations);
  const row: MediaRow = { url, owner, kind, state: 'failed', fetchedAt, status, exchanges };
  if (problem !== undefined) {
    deletePart(file, safeDir, writer);
    return { ...row, cause: measured.size === 0 ? EMPTY_FILE_CAUSE : problem };
  }
  const { mimetype, extension } = type ?? UNKNOWN_TYPE;
  const { sha256, size } = measured;
  const storedRow: MediaRow = { ...row, state: 'stored', sha256, size, mimetype, verified };
  return mismatches.length > 0
    ? quarantine({ ...storedRow, state: 'quarantined', cause: mismatches.map(formatMismatch).join('; ') }, file, extension)
    : storeOnce(storedRow, file, extension);

  function quarantine(quarantinedRow: MediaRow, { basePath }: WantedFile, fileExtension: string): MediaRow {
    const path = `${basePath.replace(/^media\//, `${MEDIA_DIRECTORIES.quarantined}/`)}.${shortHash(url)}.${fileExtension}`;
    movePart(path);
    writer.put({ ...quarantinedRow, path });
    return { ...quarantinedRow, path };
  }

  /**
   * Stores the file once. Of the paths of all files with these bytes it takes the first in alphabetical order, so that the result
   * does not depend on the order of downloads.
   */
  function storeOnce(completeRow: MediaRow, { basePath }: WantedFile, fileExtension: string): MediaRow {
    const same = writer.findBySha256(sha256).filter((other) => other.url !== url && isFilePresent(other, safeDir));
    const others = [...new Set(same.map(({ path }) => path as string))].sort();
    const standardPath = `${basePath}.${fileExtension}`;
    const ownPath =
      writer.isTaken(standardPath, url) && !others.includes(standardPath)
        ? `${basePath}.${shortHash(url)}.${fileExtension}`
        : standardPath;
    const [path = ownPath] = [ownPath, ...others].sort();
    movePart(path); // also replaces a file with these bytes: only its size was checked
    // A killed run may have left a file without a row at `ownPath`.
    const duplicates = new Set([...others, ownPath].filter((other) => other !== path));
    writer.put({ ...completeRow, path }, [...duplicates]);
    return { ...completeRow, path };
  }

  function movePart(path: string): void {
    moveIntoPlace(safeDir, partPath, path);
    writer.placed(path);
  }
}

/** Returns whether the file of a stored row exists and has the recorded size. */
export function isFilePresent({ path, size }: Pick<StoredMedia, 'path' | 'size'>, safeDir: SafeDirectory): boolean {
  return path !== null && size !== null && statMediaFile(safeDir, path, 'stored')?.size === size;
}

const DOCUMENT_TYPES = 'application/(?:pdf|rtf|epub|msword|x-cfb|vnd\\.(?:openxml|oasis|ms-)[\\w.+-]*)';
const EXPECTED_TYPES: Readonly<Record<MediaKind, { noun: string; types: RegExp }>> = {
  thumb: { noun: 'an image', types: /^image\// },
  image: { noun: 'an image', types: /^image\// },
  audio: { noun: 'a recording', types: /^audio\/|^video\/(?:ogg|mp4|webm)$/ }, // containers that may contain only audio
  video: { noun: 'a recording', types: /^video\// },
  transcript: {
    noun: 'a transcript',
    types: new RegExp(`^text/|^application/(?:(?:tei|ttml|x-\\w+)\\+)?xml$|^${DOCUMENT_TYPES}$`),
  },
  original: { noun: 'an original', types: /^/ },
};

/** Returns why a file cannot be what its record names; undefined if it can. */
export function typeProblem(kind: MediaKind, type: FileType | undefined, declarations: readonly FileDeclaration[]) {
  const { noun, types } = EXPECTED_TYPES[kind];
  const detected = type?.mimetype;
  const declaredType = declarations.find(({ mimetype }) => mimetype !== undefined)?.mimetype?.toLowerCase();
  if (kind === 'original') {
    // An original may be of any type, but a web page is probably an error page instead of the file.
    const [family, expected] = [typeFamily(detected), typeFamily(declaredType)];
    const wrong =
      declaredType === undefined ? family === 'page' : type !== undefined && expected !== 'other' && family !== expected;
    return wrong ? `the response is ${typeName(detected)}, not ${declaredType ?? noun}` : undefined;
  }
  return detected === undefined || !types.test(detected) ? `the response is ${typeName(detected)}, not ${noun}` : undefined;
}

function typeName(mimetype: string | undefined): string {
  if (mimetype === ERROR_MESSAGE.mimetype) return 'an error message';
  return mimetype === 'text/html' ? 'a web page' : (mimetype ?? 'a file of unknown type');
}

/** Returns the group of a type. Records and programs often confuse the types of one group. */
function typeFamily(mimetype: string | undefined): 'image' | 'recording' | 'text' | 'page' | 'other' {
  if (mimetype === 'text/html' || mimetype === 'application/xhtml+xml') return 'page';
  if (mimetype?.startsWith('image/')) return 'image';
  if (/^(?:audio|video)\/|^application\/ogg/.test(mimetype ?? '')) return 'recording';
  return mimetype?.startsWith('text/') ? 'text' : 'other';
}
