/** Reads the text of transcripts and glossaries for search, so that a search for spoken words finds the segment. */
import { join } from 'node:path';
import type { ObjectEntry } from '../catalogue/entries.ts';
import type { CopiedFile, CopiedFiles } from '../derivatives/copied-files.ts';
import { parseCues } from '../model/captions.ts';
import { decodeBody } from '../model/json.ts';
import { MAX_FILE_TEXT_LENGTH } from '../model/limits.ts';
import { cleanTitle, toPlainText } from '../model/text.ts';
import { readStart } from '../platform/read-start.ts';
import type { Store } from '../snapshot/store.ts';

/** Returns the text of each transcript among a record's file records, as one line, in the order of the files. */
export function readSpokenTexts(
  files: readonly ObjectEntry[],
  copiedFiles: CopiedFiles,
  store: Pick<Store, 'dir' | 'filter'>,
): string[] {
  const texts = files.flatMap(({ media }) =>
    media.flatMap(({ kind, url }) => {
      const file = kind === 'transcript' && Object.hasOwn(copiedFiles, url) ? copiedFiles[url] : undefined;
      return file ? [textOf(file, store)] : [];
    }),
  );
  return [...new Set(texts)].filter((text) => text !== '');
}

function textOf({ snapshotPath, mimetype, textFile }: CopiedFile, { dir, filter }: Pick<Store, 'dir' | 'filter'>): string {
  const redact = (text: string) => filter?.redactText?.(text) ?? text;
  const read = (from: string) => redact(decodeBody(readStart(from, MAX_FILE_TEXT_LENGTH)));
  if (textFile !== undefined) return cleanTitle(read(textFile));
  if (!mimetype.startsWith('text/')) return '';
  const text = read(join(dir, snapshotPath));
  if (mimetype === 'text/html') return toPlainText(text);
  const cues = mimetype === 'text/vtt' ? parseCues(text) : [];
  return cues.length > 0 ? cues.map(({ voice, text: line }) => (voice ? `${voice}: ${line}` : line)).join(' ') : cleanTitle(text);
}
