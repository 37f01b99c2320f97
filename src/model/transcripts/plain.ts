/** Reads plain texts: paragraphs, or lines with times in brackets (`[00:01:23]`), or the JSON of Whisper and whisper.cpp. */
import { parseJson } from '../json.ts';
import { isSubRip, parseSubRip } from '../media/captions.ts';
import { isObject } from '../values.ts';
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine } from './xml-pieces.ts';

/** Returns what a plain text says: captions if it is SubRip, JSON of a speech recognizer, or has times; else its text. */
export function readPlain(text: string): TranscriptText {
  if (isSubRip(text)) return { cues: parseSubRip(text), text: '', isHtml: false };
  return readRecognized(text) ?? readTimedLines(text) ?? { cues: [], text, isHtml: false };
}

/** Returns the segments that a speech recognizer wrote as JSON; undefined if a text is none. */
function readRecognized(text: string): TranscriptText | undefined {
  if (!/^\ufeff?\s*\{/.test(text)) return undefined;
  const json = parseJson(text.replace(/^\ufeff/, ''));
  const segments = isObject(json) ? (json['segments'] ?? json['transcription']) : undefined;
  if (!Array.isArray(segments)) return undefined;
  const utterances = segments.filter(isObject).map((segment): Utterance => {
    const offsets = isObject(segment['offsets']) ? segment['offsets'] : {};
    const at = (name: 'start' | 'end', offset: 'from' | 'to') => Number(segment[name] ?? Number(offsets[offset]) / 1000);
    const speaker = segment['speaker'];
    return {
      start: at('start', 'from'),
      end: at('end', 'to'),
      voice: typeof speaker === 'string' ? speaker : undefined,
      text: oneLine(String(segment['text'] ?? '')),
    };
  });
  return utterances.length === 0 ? undefined : textOfUtterances(utterances);
}

/** A time in brackets at the beginning of a line, before or after who speaks. */
const TIMED_LINE = /^\s*([^[(<:]{0,60}?)\s*:?\s*[[(<]\s*((?:\d{1,2}:)?\d{1,3}:\d\d(?:[.,]\d{1,3})?)\s*[\])>]\s*:?\s*(.*)$/;
const SPEAKER = /^(\p{Lu}[^:.?!]{0,40}):\s+(.*)$/u;
/** Times from which a text is one with times, and not one that mentions a time. */
const MIN_TIMES = 3;

/** Returns the lines between times; undefined if a text does not begin with a time, or if its times do not increase. */
function readTimedLines(text: string): TranscriptText | undefined {
  const utterances: Utterance[] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n?|\n/)) {
    const [, before = '', time, rest = ''] = TIMED_LINE.exec(line.slice(0, 1000)) ?? [];
    const last = utterances.at(-1);
    if (time === undefined) {
      if (last) last.text = oneLine(`${last.text} ${line}`);
      else if (line.trim() !== '') return undefined;
      continue;
    }
    const start = parseClock(time) as number;
    if (last?.start !== undefined && start < last.start) return undefined;
    const said = line.length > 1000 ? `${rest}${line.slice(1000)}` : rest;
    const [, speaker, words] = before === '' ? (SPEAKER.exec(said) ?? []) : [undefined, before, said];
    utterances.push({ start, voice: speaker, text: oneLine(words ?? said) });
  }
  return utterances.length < MIN_TIMES ? undefined : textOfUtterances(utterances);
}
