/** Parses WebVTT and SubRip (SRT) captions into timed lines of plain text. */
import webvtt, { type CueNode } from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import { MAX_FILE_TEXT_LENGTH } from '../text/limits.ts';
import { hasMoreThan, stripTags } from '../text/markup.ts';
import { cleanTitle, toPlainText } from '../text/text.ts';

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

const SUBRIP_TIME = String.raw`(\d{1,3}):([0-5]?\d):([0-5]?\d)(?:[,.](\d{1,3}))?`;
const SUBRIP_TIMES = new RegExp(String.raw`^\s*${SUBRIP_TIME}\s*-->\s*${SUBRIP_TIME}(?!\d)`);
const SUBRIP_START = new RegExp(String.raw`^\ufeff?\s{0,100}(?:\d{1,7}[ \t]*(?:\r\n?|\n))?${SUBRIP_TIMES.source.slice(1)}`);
/** The number of a cue, alone on the line before its times. */
const CUE_NUMBER = /^\s*\d{1,7}\s*$/;
/** Positions and styles, such as `{\an8}`. */
const SUBRIP_STYLE = /\{\\[^{}]*\}/g;

/** Returns whether a plain text begins like a SubRip file: with a number, and a line of times. */
export const isSubRip = (text: string): boolean => SUBRIP_START.test(text.slice(0, 500));

/** Returns the cues of a SubRip file. All text up to the next line of times belongs to a cue, also after empty lines. */
export function parseSubRip(srt: string): Cue[] {
  const cues: Array<Omit<Cue, 'text'> & { lines: string[] }> = [];
  for (const line of srt.slice(0, MAX_FILE_TEXT_LENGTH).split(/\r\n?|\n/)) {
    const times = SUBRIP_TIMES.exec(line.slice(0, MAX_TIMES_LENGTH));
    const last = cues.at(-1);
    if (times) {
      if (CUE_NUMBER.test(last?.lines.at(-1) ?? '')) last?.lines.pop();
      cues.push({ start: secondsOf(times.slice(1, 5)), end: secondsOf(times.slice(5, 9)), voice: undefined, lines: [] });
    } else last?.lines.push(line);
  }
  return cues.flatMap(({ lines, ...cue }) => {
    const text = toPlainText(lines.join('\n').replace(SUBRIP_STYLE, ''));
    return text === '' ? [] : [{ ...cue, text }];
  });
}

function secondsOf([hours, minutes, seconds, fraction]: ReadonlyArray<string | undefined>): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction ?? 0}`);
}

/** Returns the cues of a WebVTT file, in file order. Skips malformed parts, and never throws. Titles of chapters do not roll. */
export function parseCues(vtt: string, { canRoll = true } = {}): Cue[] {
  const { cues } = new webvtt.WebVTTParser(entities).parse(limitMarkup(vtt.slice(0, MAX_FILE_TEXT_LENGTH)), 'subtitles');
  const said: Cue[] = [];
  for (const { startTime, endTime, tree } of cues) {
    // The parser leaves the entities of a name as they are.
    const voice = cleanTitle(toPlainText(tree.children.find(({ name }) => name === 'v')?.value ?? '')) || undefined;
    const cue = { start: startTime, end: endTime, voice, text: cleanTitle(textOf(tree.children)) };
    if (canRoll) addRolling(said, cue);
    else if (cue.text !== '') said.push(cue);
  }
  return said;
}

/**
 * Adds a caption to those before it, without the words that the last one has shown already: captions of speech recognizers roll
 * up, so that each begins with the line of the last one, and a very short one repeats it alone.
 */
function addRolling(said: Cue[], cue: Cue): void {
  const last = said.at(-1);
  const isNext = last !== undefined && cue.start - last.end < ROLLING_GAP && cue.voice === last.voice;
  const rest = isNext ? withoutRepeated(last.text, cue.text) : cue.text;
  const isRepeated = isNext && rest === '' && cue.text !== '' && cue.end - cue.start < MAX_REPEATED;
  const text = isRepeated ? '' : rest || cue.text;
  if (isRepeated) last.end = Math.max(last.end, cue.end);
  if (text !== '') said.push({ ...cue, text });
}
/** Seconds between two captions of which the second rolls up the first. */
const ROLLING_GAP = 0.1;
/** Seconds of a caption that only repeats the last one until the next line comes. A longer one is said twice, as a refrain. */
const MAX_REPEATED = 1;
/** Words that the end of a caption and the beginning of the next have in common if it rolls up. Fewer may be said twice. */
const MIN_ROLLED_WORDS = 3;

function withoutRepeated(before: string, text: string): string {
  const [old, words] = [before.split(' '), text.split(' ')];
  for (let count = Math.min(old.length, words.length); count >= MIN_ROLLED_WORDS; count--)
    if (old.slice(-count).join(' ') === words.slice(0, count).join(' ')) return words.slice(count).join(' ');
  return text;
}

/** Maximum parsed tags or escapes per cue. The parser recurses into nested tags, and scans all escapes for an unknown one. */
const MAX_MARKUP = 200;
/** Maximum characters of a line of times. The parser compares each setting in it with all others. */
const MAX_TIMES_LENGTH = 1_000;

/** Removes from captions what would slow the parser: blocks with too much markup become plain text, lines of times are cut. */
function limitMarkup(vtt: string): string {
  const blocks = vtt
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^([\d:]+),(\d{3}[ \t]+-->[ \t]+[\d:]+)[,.](\d{3})/gm, '$1.$2.$3')
    .split(/\n\n+/);
  return blocks.map(limitBlock).join('\n\n');
}

function limitBlock(block: string): string {
  const isHeavy = hasMoreThan(block, '<', MAX_MARKUP) || hasMoreThan(block, '&', MAX_MARKUP);
  if (!isHeavy && block.length < MAX_TIMES_LENGTH) return block;
  const toText = (text: string) => (isHeavy ? toPlainText(stripTags(text)).replace(/&/g, '&amp;').replace(/</g, '&lt;') : text);
  // Pieces at odd positions are lines of times.
  const pieces = block.split(/^(.*-->.*)$/m);
  return pieces
    .map((piece, i) => (i % 2 === 1 ? piece.slice(0, MAX_TIMES_LENGTH) : toText(piece.replace(/^\n|\n$/g, ''))))
    .join('\n');
}

function textOf(nodes: CueNode[]): string {
  return nodes.map((node) => (node.type === 'text' ? node.value : textOf(node.children ?? []))).join('');
}
