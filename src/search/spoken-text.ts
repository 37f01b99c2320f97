/** Reads the text of transcripts and glossaries for search, so that a search for spoken words finds the segment. */

import type { ListedEntry } from '../catalogue/entries.ts';
import type { CopiedFile } from '../derivatives/copied-files.ts';
import { readFileText } from '../derivatives/read-text.ts';
import { type Cue, readCues } from '../model/media/captions.ts';
import { cleanTitle, toPlainText } from '../model/text/text.ts';
import type { Lookup } from '../platform/lookup.ts';
import type { Store } from '../snapshot/store.ts';

/** The text of a transcript. */
export interface SpokenText {
  /** On one line. */
  text: string;
  /** Where in the text each caption begins, and when, in seconds; none without captions. */
  moments: ReadonlyArray<readonly [at: number, seconds: number]>;
}

/** Returns the text of each transcript among a record's file records, in the order of the files; of equal ones, the first. */
export function readSpokenTexts(
  files: readonly ListedEntry[],
  copiedFiles: Lookup<CopiedFile>,
  store: Pick<Store, 'dir' | 'filter'>,
): SpokenText[] {
  const texts = files.flatMap(({ media }) =>
    media.flatMap(({ kind, url }) => {
      const file = kind === 'transcript' ? copiedFiles.get(url) : undefined;
      return file ? [textOf(file, store)] : [];
    }),
  );
  return texts.filter(({ text }, i) => text !== '' && texts.findIndex((other) => other.text === text) === i);
}

function textOf(file: CopiedFile, store: Pick<Store, 'dir' | 'filter'>): SpokenText {
  const { mimetype, textFile } = file;
  const text = readFileText(file, store) ?? '';
  const cues = textFile === undefined ? readCues(text, mimetype) : [];
  if (cues.length > 0) return joinCues(cues);
  return { text: textFile === undefined && mimetype === 'text/html' ? toPlainText(text) : cleanTitle(text), moments: [] };
}

function joinCues(cues: readonly Cue[]): SpokenText {
  const moments: Array<[number, number]> = [];
  let length = 0;
  const lines = cues.map(({ start, voice, text }) => {
    const line = voice ? `${voice}: ${text}` : text;
    moments.push([length, start]);
    length += line.length + 1;
    return line;
  });
  return { text: lines.join(' '), moments };
}
