/** Reads the text of transcripts and glossaries for search, so that a search for spoken words finds the segment. */
import type { ListedEntry } from '../catalogue/entries.ts';
import type { CopiedFile } from '../derivatives/copied-files.ts';
import { readFileTexts } from '../derivatives/read-text.ts';
import type { Cue } from '../model/media/captions.ts';
import { cleanTitle, toPlainText } from '../model/text/text.ts';
import type { TranscriptText } from '../model/transcripts/transcript-text.ts';
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
      return file ? readFileTexts(file, store).map(textOf) : [];
    }),
  );
  return texts.filter(({ text }, i) => text !== '' && texts.findIndex((other) => other.text === text) === i);
}

function textOf({ cues, text, isHtml }: TranscriptText): SpokenText {
  return cues.length > 0 ? joinCues(cues) : { text: isHtml ? toPlainText(text) : cleanTitle(text), moments: [] };
}

function joinCues(cues: readonly Cue[]): SpokenText {
  const moments: Array<[number, number]> = [];
  let length = 0;
  const lines = cues.map(({ start, voice, text, links = [] }) => {
    const line = [voice ? `${voice}: ${text}` : text, ...links.map(({ label }) => label)].join(' ');
    moments.push([length, start]);
    length += line.length + 1;
    return line;
  });
  return { text: lines.join(' '), moments };
}
