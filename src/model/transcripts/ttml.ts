/** Reads captions in TTML, also known as DFXP (W3C Timed Text Markup Language 2, “Timing”). */
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine, readXml } from './xml-pieces.ts';

/** An element whose times those within it are relative to. */
interface Scope {
  start: number;
  voice: string | undefined;
  paragraph: Utterance | undefined;
}

/** Returns the captions of a TTML document. A paragraph whose spans have times of their own becomes one caption for each. */
export function readTtml(xml: string): TranscriptText {
  const agents = new Map<string, string>();
  const utterances: Utterance[] = [];
  const scopes: Scope[] = [{ start: 0, voice: undefined, paragraph: undefined }];
  let rates: Rates = { frame: 30, tick: 1 };
  let agent: string | undefined;
  let metadata = 0;
  for (const piece of readXml(xml)) {
    const scope = scopes.at(-1) as Scope;
    if (piece.type === 'text') {
      if (agent !== undefined) agents.set(agent, oneLine(`${agents.get(agent) ?? ''} ${piece.text}`));
      else if (metadata === 0 && scope.paragraph) scope.paragraph.text += piece.text;
      continue;
    }
    if (piece.name === 'metadata' || piece.name === 'head') metadata += piece.type === 'start' ? 1 : -1;
    if (piece.type === 'end') {
      if (piece.name === 'agent') agent = undefined;
      if (scopes.length > 1) scopes.pop();
      continue;
    }
    const { name, attributes } = piece;
    if (name === 'tt') rates = readRates(attributes);
    if (name === 'agent') agent = attributes['id'];
    if (name === 'br' && scope.paragraph) scope.paragraph.text += ' ';
    const begin = parseTime(attributes['begin'], rates);
    const start = scope.start + (begin ?? 0);
    const length = parseTime(attributes['dur'], rates);
    const end = parseTime(attributes['end'], rates);
    const voice = agents.get(attributes['agent'] ?? '') ?? scope.voice;
    const isCaption = name === 'p' || (name === 'span' && begin !== undefined);
    const paragraph = isCaption
      ? { voice, text: '', start, end: length === undefined ? end && scope.start + end : start + length }
      : scope.paragraph;
    if (isCaption) utterances.push(paragraph as Utterance);
    scopes.push({ start: name === 'span' && begin === undefined ? scope.start : start, voice, paragraph });
  }
  return textOfUtterances(utterances.map((utterance) => ({ ...utterance, text: oneLine(utterance.text) })));
}

/** Frames and ticks in a second. */
type Rates = ReturnType<typeof readRates>;

function readRates(attributes: Readonly<Record<string, string>>) {
  const [over = 1, under = 1] = (attributes['frameRateMultiplier'] ?? '').split(/[ :]/).map(Number).filter(Boolean);
  const frame = (Number(attributes['frameRate']) || 30) * (over / under);
  return { frame, tick: Number(attributes['tickRate']) || (attributes['frameRate'] ? frame : 1) };
}

/** Returns the seconds of a clock time, with a fraction or frames, or of an offset such as `12.5s` or `300f`. */
function parseTime(time: string | undefined, { frame, tick }: Rates): number | undefined {
  const [, hours, minutes, seconds, frames] = /^(\d+):(\d\d):(\d\d):(\d+)$/.exec(time ?? '') ?? [];
  if (frames !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(frames) / frame;
  const [, count, unit] = /^(\d+(?:\.\d+)?)(h|ms|m|s|f|t)$/.exec(time ?? '') ?? [];
  if (unit === undefined) return parseClock(time);
  return (
    Number(count) * { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / frame, t: 1 / tick }[unit as 'h' | 'm' | 's' | 'ms' | 'f' | 't']
  );
}
