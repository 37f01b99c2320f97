/** What a transcript says: the same for all formats. */
import type { Cue } from '../media/captions.ts';
import type { RecordingIndex } from './index-points.ts';

/** One text of a file: a file may have a transcript and its translation, or an index of what is said when. */
export interface TranscriptText {
  /** What it is, if the file says so. Others are captions if they have times, or else transcripts. */
  kind?: 'translation' | 'index';
  /** What is said when, in file order; empty without times. */
  cues: Cue[];
  /** Of a text without times: HTML with its markup, or plain text whose paragraphs are separated by empty lines. */
  text: string;
  isHtml: boolean;
  /** Of the first text that is an index: its points, in both languages. */
  index?: RecordingIndex;
  /** The number of points without a valid time, which are left out. */
  untimed?: number;
  /** Whether the file is longer than what is read of it. */
  isCut?: boolean;
  /** Of a scan: the words of the text on its pages. */
  pages?: ScannedPage[];
}

/** A word, and where it is: left, top, width and height in thousandths of the page. A divided one has two boxes. */
export interface PlacedWord {
  text: string;
  boxes: Array<readonly [left: number, top: number, width: number, height: number]>;
}

/** A page: paragraphs of lines of words. */
export type ScannedPage = PlacedWord[][][];

/** Something that is said, by a speaker, perhaps at a time in seconds. */
export interface Utterance {
  voice: string | undefined;
  text: string;
  start?: number | undefined;
  end?: number | undefined;
  links?: Cue['links'];
}

/** Seconds of the last utterance, if nothing says when it ends. */
const LAST_SECONDS = 10;

/**
 * Returns utterances as cues if half of them have a beginning; else as paragraphs. Others, such as headings, begin with the next
 * one, or after the last. One without an end ends where the next begins.
 */
export function textOfUtterances(utterances: readonly Utterance[], kind?: TranscriptText['kind']): TranscriptText {
  const spoken = utterances
    .filter(({ text }) => text !== '')
    .map((each) => ({ ...each, start: Number.isFinite(each.start) ? each.start : undefined }));
  const given = kind && { kind };
  const isTimed = spoken.filter(({ start }) => start !== undefined).length * 2 >= spoken.length;
  for (const [i, each] of [...spoken.entries()].reverse()) each.start ??= spoken[i + 1]?.start;
  for (const [i, each] of spoken.entries()) each.start ??= spoken[i - 1]?.end ?? spoken[i - 1]?.start;
  const cues = spoken.flatMap(({ start, end, voice, text, links }, i): Cue[] => {
    if (start === undefined || !isTimed) return [];
    const next = spoken[i + 1]?.start;
    const last =
      end !== undefined && end > start
        ? end
        : next !== undefined && next > start
          ? next
          : (spoken[i + 1]?.end ?? start + LAST_SECONDS);
    return [{ start, end: last, voice, text, ...(links && { links }) }];
  });
  if (cues.length > 0 && cues.length === spoken.length) return { ...given, cues, text: '', isHtml: false };
  const text = spoken.map(({ voice, text }) => (voice ? `${voice}: ${text}` : text)).join('\n\n');
  return { ...given, cues: [], text, isHtml: false };
}

/** Returns seconds of a time such as `1:02:03.5`, `02:03` or `75.2s`; undefined if it is none. */
export function parseClock(time: string | undefined): number | undefined {
  const [, hours = '0', minutes, seconds] =
    /^\s*(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:[.,]\d{1,9})?)s?\s*$/.exec(time ?? '') ?? [];
  return seconds === undefined ? undefined : Number(hours) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds.replace(',', '.'));
}
