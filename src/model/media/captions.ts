/** Parses WebVTT and SubRip (SRT) captions, and those of YouTube (SBV), into timed lines of plain text. */
import { MAX_FILE_TEXT_LENGTH } from '../text/limits.ts';
import { toPlainText } from '../text/text.ts';

/** One caption. */
export interface Cue {
  /** Start time, in seconds from the beginning of the recording. */
  start: number;
  /** End time, in seconds. */
  end: number;
  /** The speaker, if the caption names one. */
  voice: string | undefined;
  /** The speaker, if a caption before it names the same, so that `voice` does not. */
  speaker?: string;
  /** What is said, as plain text on one line. */
  text: string;
  /** Of a point of an index: what it links to, at URLs of http or https. */
  links?: ReadonlyArray<{ url: string; label: string }>;
}

/** Hours may be left out, and the fraction of a second. */
const TIME = String.raw`(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,:;] ?(\d{1,9}))?`;
const ARROW = String.raw`(?:[ \t]*(?:-{1,2}|\u2013)>[ \t]*|,(?=[\d:.]+(?:\s|$)))`;
/** The beginning of a line of times. */
const TIMES = new RegExp(String.raw`^[ \t]*${TIME}${ARROW}${TIME}(?!\d)`);
const START = new RegExp(String.raw`^\ufeff?\s{0,100}(?:\d{1,7}[ \t]*(?:\r\n?|\n))?${TIMES.source.slice(1)}`);
/** The number of a cue, alone on the line before its times. */
const CUE_NUMBER = /^\s*\d{1,7}\s*$/;
/** Positions and styles, such as `{\an8}`. */
const SUBRIP_STYLE = /\{\\[^{}]*\}/g;
/** A block that is not shown. */
const HIDDEN_BLOCK = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
/** Tags of captions, but for those of speakers. Others are words, such as `<inaudible>`, or HTML. */
const CUE_TAG =
  /<\/?(?:[biu]|rt|ruby|script|style)(?:\.[^<>\s]*)?\s*>|<\/?(?:c|lang|font|span)(?:[.\s][^<>]*)?>|<\/v>|<[\d:.]+>/gi;
const VOICE_TAG = /<v(?:\.[^<>\s]*)?(?:\s([^<>]*))?>/i;
/** Maximum characters of a line of times. */
const MAX_TIMES_LENGTH = 1_000;

/** Returns whether a plain text begins like captions: with a line of times, perhaps after a number. */
export const hasCaptions = (text: string): boolean => START.test(text.slice(0, 500));

/** Captions as they are written: all between two lines of times. */
interface Block {
  start: number;
  end: number;
  lines: string[];
}

/** Returns the blocks of captions. Empty lines end those of WebVTT, and are part of others. */
function readBlocks(text: string, isVtt: boolean): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let isHidden = false;
  let before = '';
  for (const line of text.slice(0, MAX_FILE_TEXT_LENGTH).split(/\r\n?|\n/)) {
    const times = TIMES.exec(line.slice(0, MAX_TIMES_LENGTH));
    if (isVtt && line === '') [open, isHidden] = [undefined, false];
    else if (isVtt && before === '' && HIDDEN_BLOCK.test(line)) isHidden = true;
    else if (times && !isHidden) {
      if (CUE_NUMBER.test(open?.lines.at(-1) ?? '')) open?.lines.pop();
      open = { start: secondsOf(times.slice(1, 5)), end: secondsOf(times.slice(5, 9)), lines: [] };
      blocks.push(open);
    } else if (!isHidden) open?.lines.push(line);
    before = line;
  }
  return blocks;
}

function secondsOf([hours = '0', minutes, seconds, fraction = '0']: ReadonlyArray<string | undefined>): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}

/** Returns the captions of a file by their beginnings, one for each speaker. Titles of chapters do not roll. Never throws. */
export function parseCues(text: string, { canRoll = true } = {}): Cue[] {
  const cues = readBlocks(text, /^\ufeff?\s*WEBVTT/.test(text)).flatMap(({ start, end, lines }): Cue[] => {
    const [first = '', ...voiced] = lines.join('\n').replace(SUBRIP_STYLE, '').replace(CUE_TAG, '').split(VOICE_TAG);
    const parts = [undefined, first, ...voiced];
    return parts.flatMap((part, i) => {
      const said = i % 2 === 1 ? toPlainText(part) : '';
      return said === '' ? [] : [{ start, end, voice: toPlainText(parts[i - 1]) || undefined, text: said }];
    });
  });
  const ordered = cues.sort((a, b) => a.start - b.start);
  return canRoll ? foldRolling(ordered) : ordered;
}

/**
 * Returns captions without the words that the one before has shown already: those of speech recognizers roll up, so that each
 * begins with the line of the last one, and a very short one repeats it alone.
 */
function foldRolling(cues: readonly Cue[]): Cue[] {
  const isShort = ({ start, end }: Cue) => end - start < MAX_REPEATED;
  const restOf = (cue: Cue, i: number, min: number) => {
    const last = cues[i - 1];
    const isNext = last !== undefined && cue.start - last.end < ROLLING_GAP && cue.voice === last.voice;
    return isNext ? withoutRepeated(last.text, cue.text, min) : cue.text;
  };
  const rolled = cues.filter((cue, i) => {
    const rest = restOf(cue, i, 1);
    return rest !== cue.text && (rest !== '' || isShort(cue));
  });
  const isRolling = rolled.length > 1 && rolled.length * 2 > cues.length - 1;
  const said: Cue[] = [];
  for (const [i, cue] of cues.entries()) {
    const rest = restOf(cue, i, isRolling ? 1 : MIN_ROLLED_WORDS);
    const last = said.at(-1);
    if (last && rest === '' && (isRolling || isShort(cue))) last.end = Math.max(last.end, cue.end);
    else said.push({ ...cue, text: rest || cue.text });
  }
  return said;
}
/** Seconds between two captions of which the second rolls up the first. */
const ROLLING_GAP = 0.1;
/** Seconds of a caption that only repeats the last one until the next line comes. A longer one is said twice, as a refrain. */
const MAX_REPEATED = 1;
/** Words that the end of a caption and the beginning of the next have in common if it rolls up, unless most others do so. */
const MIN_ROLLED_WORDS = 3;
/** No caption is longer. */
const MAX_ROLLED_WORDS = 100;

function withoutRepeated(before: string, text: string, min: number): string {
  const [old, words] = [before.split(' '), text.split(' ')];
  for (let count = Math.min(old.length, words.length, MAX_ROLLED_WORDS); count >= min; count--)
    if (old.slice(-count).join(' ') === words.slice(0, count).join(' ')) return words.slice(count).join(' ');
  return text;
}
