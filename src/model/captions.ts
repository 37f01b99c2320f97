/** Parses WebVTT captions into timed lines of plain text. */

import webvtt, { type CueNode } from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import { MAX_FILE_TEXT_LENGTH } from './limits.ts';
import { hasMoreThan } from './markup.ts';
import { cleanTitle, toPlainText } from './text.ts';

/** One caption. */
export interface Cue {
  /** Start time, in seconds from the beginning of the recording. */
  start: number;
  /** End time, in seconds. */
  end: number;
  /** The speaker, if the caption names one. */
  voice: string | undefined;
  /** What is said, as plain text on one line. */
  text: string;
}

/** Returns the cues of a WebVTT file, in file order. Skips malformed parts, and never throws. */
export function parseCues(vtt: string): Cue[] {
  const { cues } = new webvtt.WebVTTParser(entities).parse(limitMarkup(vtt.slice(0, MAX_FILE_TEXT_LENGTH)), 'subtitles');
  return cues.flatMap(({ startTime, endTime, tree }): Cue[] => {
    const text = cleanTitle(textOf(tree.children));
    return text === '' ? [] : [{ start: startTime, end: endTime, voice: findVoice(tree.children), text }];
  });
}

/**
 * Maximum tags or escapes in one cue that are parsed as such. The parser recurses into nested tags, and scans all escapes for an unknown one.
 */
const MAX_MARKUP = 200;
/** Maximum characters of a line of times. The parser compares each setting in it with all others. */
const MAX_TIMES_LENGTH = 1_000;

/**
 * Removes from captions what would slow the parser down. A block with too much markup becomes plain text, and lines of times are cut.
 */
function limitMarkup(vtt: string): string {
  const blocks = vtt
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n\n+/);
  return blocks.map(limitBlock).join('\n\n');
}

function limitBlock(block: string): string {
  const isHeavy = hasMoreThan(block, '<', MAX_MARKUP) || hasMoreThan(block, '&', MAX_MARKUP);
  if (!isHeavy && block.length < MAX_TIMES_LENGTH) return block;
  const toText = (text: string) => (isHeavy ? toPlainText(text).replace(/&/g, '&amp;').replace(/</g, '&lt;') : text);
  // Pieces at odd positions are lines of times.
  const pieces = block.split(/^(.*-->.*)$/m);
  return pieces.map((piece, i) => (i % 2 === 1 ? piece.slice(0, MAX_TIMES_LENGTH) : convertText(piece, toText))).join('\n');
}

/** Converts the lines between two lines of times, without the line breaks next to those. */
function convertText(piece: string, convert: (text: string) => string): string {
  return convert(piece.replace(/^\n|\n$/g, ''));
}

function textOf(nodes: CueNode[]): string {
  return nodes.map((node) => (node.type === 'text' ? node.value : textOf(node.children ?? []))).join('');
}

function findVoice(nodes: CueNode[]): string | undefined {
  const voice = nodes.find(({ name }) => name === 'v')?.value;
  return voice === undefined ? undefined : cleanTitle(voice) || undefined;
}
