/** Reads the text of transcripts and glossaries for search, so that a search for spoken words finds the segment. */

import type { ListedEntry } from '../catalogue/entries.ts';
import type { CopiedFile } from '../derivatives/copied-files.ts';
import { readFileText } from '../derivatives/read-text.ts';
import { readCues } from '../model/captions.ts';
import { cleanTitle, toPlainText } from '../model/text.ts';
import type { Lookup } from '../platform/lookup.ts';
import type { Store } from '../snapshot/store.ts';

/** Returns the text of each transcript among a record's file records, as one line, in the order of the files. */
export function readSpokenTexts(
  files: readonly ListedEntry[],
  copiedFiles: Lookup<CopiedFile>,
  store: Pick<Store, 'dir' | 'filter'>,
): string[] {
  const texts = files.flatMap(({ media }) =>
    media.flatMap(({ kind, url }) => {
      const file = kind === 'transcript' ? copiedFiles.get(url) : undefined;
      return file ? [textOf(file, store)] : [];
    }),
  );
  return [...new Set(texts)].filter((text) => text !== '');
}

function textOf(file: CopiedFile, store: Pick<Store, 'dir' | 'filter'>): string {
  const { mimetype, textFile } = file;
  const text = readFileText(file, store) ?? '';
  if (textFile !== undefined) return cleanTitle(text);
  if (mimetype === 'text/html') return toPlainText(text);
  const cues = readCues(text, mimetype);
  return cues.length > 0 ? cues.map(({ voice, text: line }) => (voice ? `${voice}: ${line}` : line)).join(' ') : cleanTitle(text);
}
