/** Reads captions (WebVTT) as timed lines of plain text. */

import webvtt, { type CueNode } from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import { clean } from './text.ts';

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
  const { cues } = new webvtt.WebVTTParser(entities).parse(vtt.replace(/^\ufeff/, ''), 'subtitles');
  return cues.flatMap(({ startTime, endTime, tree }): Cue[] => {
    const text = clean(wordsOf(tree.children));
    return text === '' ? [] : [{ start: startTime, end: endTime, voice: voiceOf(tree.children), text }];
  });
}

function wordsOf(nodes: CueNode[]): string {
  return nodes.map((node) => (node.type === 'text' ? node.value : wordsOf(node.children ?? []))).join('');
}

function voiceOf(nodes: CueNode[]): string | undefined {
  const voice = nodes.find(({ name }) => name === 'v')?.value;
  return voice === undefined ? undefined : clean(voice) || undefined;
}
