/** Reads captions (WebVTT) as timed lines of plain text. */

import webvtt, { type CueNode } from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import { LONGEST_FILE_TEXT } from './limits.ts';
import { hasMany } from './markup.ts';
import { clean, plainText } from './text.ts';

export interface Cue {
  /** Seconds from the beginning. */
  start: number;
  end: number;
  /** Who speaks, where that is said. */
  voice: string | undefined;
  /** Plain text. */
  text: string;
}

/** The cues of a WebVTT file in the order of the file; what cannot be read is left out. Never throws. */
export function readCues(vtt: string): Cue[] {
  const { cues } = new webvtt.WebVTTParser(entities).parse(tamed(vtt.slice(0, LONGEST_FILE_TEXT)), 'subtitles');
  return cues.flatMap(({ startTime, endTime, tree }): Cue[] => {
    const text = clean(wordsOf(tree.children));
    return text === '' ? [] : [{ start: startTime, end: endTime, voice: voiceOf(tree.children), text }];
  });
}

/** Tags or escapes in one cue that are parsed as such: the parser calls itself for each tag in another, and looks through all escapes for a wrong one. */
const MOST_MARKUP = 200;
/** Characters of a line with times: the parser compares each setting in it with all others. */
const LONGEST_TIMES = 1_000;

/** Captions with nothing in them that takes the parser long: cues that are more markup than words become plain words, lines of times are cut. */
function tamed(vtt: string): string {
  const blocks = vtt
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n\n+/);
  return blocks.map(tamedBlock).join('\n\n');
}

function tamedBlock(block: string): string {
  const isHeavy = hasMany(block, '<', MOST_MARKUP) || hasMany(block, '&', MOST_MARKUP);
  if (!isHeavy && block.length < LONGEST_TIMES) return block;
  const words = (text: string) => (isHeavy ? plainText(text).replace(/&/g, '&amp;').replace(/</g, '&lt;') : text);
  // Every other piece is a line of times.
  const pieces = block.split(/^(.*-->.*)$/m);
  return pieces.map((piece, i) => (i % 2 === 1 ? piece.slice(0, LONGEST_TIMES) : bare(piece, words))).join('\n');
}

/** `of` applied to the lines between two lines of times, without the line breaks next to those. */
function bare(piece: string, of: (text: string) => string): string {
  return of(piece.replace(/^\n|\n$/g, ''));
}

function wordsOf(nodes: CueNode[]): string {
  return nodes.map((node) => (node.type === 'text' ? node.value : wordsOf(node.children ?? []))).join('');
}

function voiceOf(nodes: CueNode[]): string | undefined {
  const voice = nodes.find(({ name }) => name === 'v')?.value;
  return voice === undefined ? undefined : clean(voice) || undefined;
}
