/** Reads plain texts: paragraphs, captions, lines with times such as `[00:01:23]`, or the JSON of speech recognizers. */
import { hasCaptions, parseCues } from '../media/captions.ts';
import { toPlainText } from '../text/text.ts';
import { readRecognized } from './recognized.ts';
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine } from './xml-pieces.ts';

/** Returns what a plain text says: captions if it is SubRip, JSON of a speech recognizer, or has times; else its text. */
export function readPlain(text: string): TranscriptText[] {
  if (/^\ufeff?\s*<sami\b/i.test(text)) return readHtml(text);
  const captions = hasCaptions(text) ? textOfUtterances(parseCues(text)) : undefined;
  return [captions ?? readRecognized(text) ?? readTimedLines(text) ?? { cues: [], text, isHtml: false }];
}

/** Elements of HTML between which a time may begin a line. */
const BLOCK_TAG = /<\/?(?:p|div|li|h[1-6]|br|tr|td|dt|dd|blockquote|pre|section)\b[^<>]*>/i;

/** Returns what an HTML file says: captions if it has times at the beginnings of its lines, else its HTML. */
export function readHtml(html: string): TranscriptText[] {
  const isTimed = /(?:[[(]\s*(?:\d{1,2}:)?\d{1,3}:\d\d\b.*){3}/s.test(html.slice(0, TIMED_BEGINNING));
  const lines = isTimed ? html.split(BLOCK_TAG).map(toPlainText) : [];
  return [readTimedLines(lines.join('\n\n')) ?? { cues: [], text: html, isHtml: true }];
}
/** Characters of an HTML file in which its first times are. */
const TIMED_BEGINNING = 20_000;

const CLOCK = String.raw`(?:\d{1,2}:)?\d{1,3}:\d\d(?:[.,:;]\d{1,3})?`;
/** A time with its end, if it has one. */
const SPAN = String.raw`(${CLOCK})(?:\s*(?:-->|[-–—~〜])\s*(${CLOCK}))?`;
/** A time in brackets at the beginning of a line, before or after who speaks. */
const TIMED_LINE = new RegExp(
  String.raw`^\s*([^[(<:［（【]{0,60}?)\s*[:：]?\s*[[(<［（【]\s*${SPAN}\s*[\])>］）】]\s*[:：]?\s*(.*)$`,
);
/** A time without brackets: with hours before what is said, or alone after who speaks. */
const BARE_LINE = new RegExp(
  String.raw`^\s*(?:((?:[^\d\s:][^:]{0,59}?[\s:：])?)\s*${SPAN}\s*()$|()(\d{1,2}:\d\d:\d\d(?:[.,:;]\d{1,3})?)(?=\s)()(.*)$)`,
);
const SPEAKER = /^([\p{Lu}\p{Lo}][^:：.?!。]{0,40})(?::\s+|：\s*)(.*)$/u;
/** Fields at the beginning of lyrics (LRC), such as `[ar:Ada]`. */
const LYRICS_FIELD = /^\[[a-z]+:.*\]\s*$/i;
/** Times from which a text is one with times, and not one that mentions a time; if they have hours, and if not. */
const [MIN_LONG_TIMES, MIN_TIMES] = [2, 3];
/** Maximum characters of what is above the first time and an empty line, such as a title. */
const MAX_TITLE = 2_000;

/** Returns the lines between times; undefined if a text does not begin with a time, or if its times do not increase. */
function readTimedLines(text: string): TranscriptText | undefined {
  const utterances: Utterance[] = [];
  let above = '';
  let before = '';
  let hasHours = false;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n?|\n/)) {
    const [, ...parts] = TIMED_LINE.exec(line.slice(0, 1000)) ?? BARE_LINE.exec(line.slice(0, 1000)) ?? [];
    const [name = '', time, until, rest = ''] = parts[1] === undefined ? parts.slice(4) : parts;
    const last = utterances.at(-1);
    if (time === undefined) {
      if (last) last.text = oneLine(`${last.text} ${line}`);
      else if (!LYRICS_FIELD.test(line)) above += `${line}\n`;
      if (above.length > MAX_TITLE) return undefined;
      before = line.trim();
      continue;
    }
    const start = clockOf(time);
    if (!last && above.trim() !== '') {
      if (before !== '') return undefined;
      utterances.push({ start: 0, end: start, voice: undefined, text: oneLine(above) });
    }
    if (last?.start !== undefined && start < last.start) return undefined;
    hasHours ||= /:.*:/.test(time);
    const said = oneLine(line.length > 1000 ? `${rest}${line.slice(1000)}` : rest);
    const [, speaker, words] = name.trim() === '' ? (SPEAKER.exec(said) ?? []) : [undefined, name.replace(/[\s:：]+$/, ''), said];
    utterances.push({ start, end: until === undefined ? undefined : clockOf(until), voice: speaker, text: words ?? said });
  }
  const count = utterances.filter((each) => each.text !== '').length;
  return count < (hasHours ? MIN_LONG_TIMES : MIN_TIMES) ? undefined : textOfUtterances(utterances);
}

/** Returns the seconds of a time, perhaps with frames, which are fractions of a second too. */
const clockOf = (time: string): number => parseClock(time.replace(/^(\d+:\d+:\d+)[:;]\d+$/, '$1')) ?? 0;
