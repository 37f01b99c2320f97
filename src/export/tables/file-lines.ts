/** Reads what the snapshot has of the media files that a record names, and the text of its transcripts. */
import type { VisibleStore } from '../../catalogue/read/visible-store.ts';
import { hasFileText, readFileTexts } from '../../derivatives/read-text.ts';
import { findCharset } from '../../model/encoding/charset.ts';
import { filesOfRecord } from '../../model/media/media.ts';
import { MEDIA_KINDS, recordBasePath } from '../../model/media/media-kinds.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { MAX_FILE_TEXT_LENGTH } from '../../model/text/limits.ts';
import { cleanTitle, toPlainText } from '../../model/text/text.ts';
import type { RecordingIndex } from '../../model/transcripts/index-points.ts';
import { readStart } from '../../platform/read-start.ts';
import { type SafeDirectory, toSafeDirectory } from '../../platform/safe-directory.ts';
import { toSafeHtml } from '../../site/text/sanitize.ts';
import { readMediaByUrl } from '../../snapshot/read.ts';
import type { StoredMedia } from '../../snapshot/row-types.ts';
import { containsWithheldNames } from '../../snapshot/withheld-names.ts';

/** A caption, or a paragraph of a text. */
export interface TranscriptLine {
  /** In seconds; undefined for a paragraph. */
  start?: number;
  end?: number;
  speaker?: string;
  text: string;
}

/** A media file that a record names. */
export type FileOfRecord = ReturnType<ReturnType<typeof createFileReader>>[number];

/**
 * Returns a reader over a visible snapshot. `ids` are those of all records that may be named. `onUnreadable` gets the path of
 * each transcript that cannot be read.
 */
export function createFileReader(store: VisibleStore, ids: Iterable<string>, onUnreadable: (path: string) => void) {
  const basePaths = new Set(Array.from(ids, recordBasePath));
  const safeDir = toSafeDirectory(store.dir);
  const readLines = (row: StoredMedia, charset: string | undefined) => {
    try {
      return readTranscript(store, safeDir, row, charset);
    } catch {
      onUnreadable(row.path as string); // missing or not readable: `verify` says why
      return NO_TEXT;
    }
  };
  return (record: ArchivalRecord) =>
    filesOfRecord(record)
      .filter(({ url }) => !store.filter.hidesMedia({ url, owner: record.id }))
      .map(({ kind, url, charset, declared }) => {
        const row = readMediaByUrl(store, url);
        const isText =
          kind === 'transcript' && row?.state === 'stored' && row.mimetype !== null && hasFileText({ mimetype: row.mimetype });
        return {
          kind,
          url,
          /** In bytes; undefined if the archive declares none. */
          declaredSize: declared.size,
          /** What the snapshot has of it; undefined if it was not downloaded. */
          row,
          /** Path in the snapshot, if there is a file and its name may be published. */
          path: row?.path != null && basePaths.has(recordPathIn(row.path)) ? row.path : undefined,
          /** Algorithms of the declared checksums that the bytes match. */
          verifiedWith: row?.verified ? (JSON.parse(row.verified) as string[]) : [],
          /** The text of a transcript, and its index. */
          ...(isText ? readLines(row, charset) : NO_TEXT),
        };
      });
}

const NO_TEXT: { lines: TranscriptLine[]; index?: RecordingIndex | undefined } = { lines: [] };
const KIND_IN_PATH = new RegExp(String.raw`\.(?:${MEDIA_KINDS.join('|')})(?:\.|$).*$`);

/** Returns the part of a media path that names a record, like `recordBasePath`: one record, if the file has several. */
const recordPathIn = (path: string): string => path.replace(/^[^/]*\//, '').replace(KIND_IN_PATH, '');

function readTranscript(
  store: VisibleStore,
  safeDir: SafeDirectory,
  { path, mimetype }: StoredMedia,
  declared: string | undefined,
): typeof NO_TEXT {
  if (path === null || mimetype === null) return NO_TEXT;
  const file = safeDir.resolve(path);
  if (containsWithheldNames(store, file, mimetype)) return NO_TEXT;
  const charset = findCharset(readStart(file, MAX_FILE_TEXT_LENGTH), declared === undefined ? [] : [declared]).name;
  const texts = readFileTexts({ snapshotPath: path, mimetype, charset }, store);
  const lines = texts.flatMap(({ cues, text, isHtml }) => {
    if (isHtml) return paragraphs(htmlBlocks(text));
    if (cues.length === 0) return paragraphs(text.split(/\n\s*\n|\r\n\s*\r\n/).map(cleanTitle));
    return cues.map(({ start, end, voice, speaker = voice, text: said }) => ({
      start,
      end,
      ...(speaker && { speaker }),
      text: said,
    }));
  });
  return { lines, index: texts.find(({ index }) => index)?.index };
}

/** Returns the texts of the blocks of an HTML file, without scripts and styles. */
function htmlBlocks(html: string): string[] {
  return toSafeHtml(html, () => undefined)
    .split(/<\/?(?:p|div|li|h[2-4]|blockquote|dd|dt|td|th|pre|br|hr)(?: [^>]*)?\/?>/)
    .map(toPlainText);
}

const paragraphs = (texts: readonly string[]): TranscriptLine[] => texts.filter((text) => text !== '').map((text) => ({ text }));
