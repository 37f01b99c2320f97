/** Reads captions in TTML, also known as DFXP (W3C Timed Text Markup Language 2, “Timing”). */
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine, readXml } from './xml-pieces.ts';

/** An element whose times those within it are relative to. */
interface Scope {
  start: number;
  end: number | undefined;
  voice: string | undefined;
  language: string;
  paragraph: Utterance | undefined;
  /** If what is within it follows one another: where the last one ends. */
  next?: number | undefined;
}

/**
 * Returns the captions of a TTML document, those of each language of its blocks as a text. A paragraph without times whose spans
 * have times becomes one caption for each.
 */
export function readTtml(xml: string): TranscriptText[] {
  const agents = new Map<string, string>();
  const captions: Array<{ language: string; said: Utterance }> = [];
  const scopes: Scope[] = [{ start: 0, end: undefined, voice: undefined, language: '', paragraph: undefined }];
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
      const parent = scopes.at(-1);
      if (parent?.next !== undefined) parent.next = scope.end ?? scope.next ?? parent.next;
      continue;
    }
    const { name, attributes } = piece;
    if (name === 'tt') rates = readRates(attributes);
    if (name === 'agent') agent = attributes['id'];
    if (name === 'br' && scope.paragraph) scope.paragraph.text += ' ';
    const begin = parseTime(attributes['begin'], rates);
    const from = scope.next ?? scope.start;
    const start = from + (begin ?? 0);
    const length = parseTime(attributes['dur'], rates);
    const until = parseTime(attributes['end'], rates);
    const end = length === undefined ? (until === undefined ? scope.end : from + until) : start + length;
    const voice = agents.get(attributes['agent'] ?? '') ?? scope.voice;
    const language = name === 'span' ? scope.language : (attributes['lang'] ?? scope.language);
    const isPart = name === 'span' && (begin === undefined || scope.paragraph?.start !== undefined);
    const isCaption = name === 'p' || (name === 'span' && !isPart);
    const isTimed = name === 'span' || begin !== undefined || end !== undefined;
    const paragraph = isCaption ? { voice, text: '', end, start: isTimed ? start : undefined } : scope.paragraph;
    if (isCaption) captions.push({ language, said: paragraph as Utterance });
    const isSequence = attributes['timeContainer'] === 'seq';
    scopes.push({ start: isPart ? scope.start : start, end, voice, language, paragraph, next: isSequence ? start : undefined });
  }
  const byLanguage = Map.groupBy(captions, ({ language }) => language);
  return [...byLanguage.values()].map((all) => textOfUtterances(all.map(({ said }) => ({ ...said, text: oneLine(said.text) }))));
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
  const [, hours, minutes, seconds, frames] = /^(\d+):(\d\d):(\d\d)[:;](\d+)(?:\.\d+)?$/.exec(time ?? '') ?? [];
  if (frames !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(frames) / frame;
  const [, count, unit] = /^(\d+(?:\.\d+)?)(h|ms|m|s|f|t)$/.exec(time ?? '') ?? [];
  if (unit === undefined) return parseClock(time);
  return (
    Number(count) * { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / frame, t: 1 / tick }[unit as 'h' | 'm' | 's' | 'ms' | 'f' | 't']
  );
}
