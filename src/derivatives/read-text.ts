/** Reads the text of transcripts and glossaries. Pages and the search index both use it, so that they have the same text. */
import { join } from 'node:path';
import { decodeText } from '../model/encoding/charset.ts';
import { MAX_FILE_TEXT_LENGTH } from '../model/text/limits.ts';
import { readStart } from '../platform/read-start.ts';
import type { Store } from '../snapshot/store.ts';
import type { CopiedFile } from './copied-files.ts';

/** Whether the text of a file can be read. */
export function hasFileText({ mimetype, textFile }: { mimetype: string; textFile?: string | undefined }): boolean {
  return textFile !== undefined || mimetype.startsWith('text/');
}

/**
 * Returns the text of a file in any charset, from its first `MAX_FILE_TEXT_LENGTH` bytes, without withheld names; undefined if it
 * is neither text nor a PDF whose text was extracted. HTML and captions are returned with their markup.
 * @throws {Error} if the file cannot be read
 */
export function readFileText(
  { snapshotPath, mimetype, textFile, charset }: Pick<CopiedFile, 'snapshotPath' | 'mimetype' | 'textFile' | 'charset'>,
  { dir, filter }: Pick<Store, 'dir' | 'filter'>,
): string | undefined {
  if (!hasFileText({ mimetype, textFile })) return undefined;
  const bytes = readStart(textFile ?? join(dir, snapshotPath), MAX_FILE_TEXT_LENGTH);
  const text = decodeText(bytes, textFile === undefined ? (charset ?? 'utf-8') : 'utf-8');
  return filter?.redactText?.(text) ?? text;
}
