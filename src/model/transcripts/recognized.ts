/** Reads what speech recognizers write as JSON: Whisper and its kin, AWS, Google, Deepgram, AssemblyAI, Azure, Rev. */
import { parseJson } from '../json.ts';
import { isObject } from '../values.ts';
import forms from './recognizers.json' with { type: 'json' };
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine } from './xml-pieces.ts';

/** Where JSON has what is said: paths of keys and indexes, `*` for each of a list. `unit` is that of its numbers, in seconds. */
type Form = (typeof forms)[number];

/** Returns what a recognizer heard; undefined if a text is not JSON of a known form. */
export function readRecognized(text: string): TranscriptText | undefined {
  if (!/^\ufeff?\s*[{[]/.test(text)) return undefined;
  const json = parseJson(text.replace(/^\ufeff/, ''));
  const said = forms.map((form) => utterancesOf(json, form)).find(({ length }) => length > 0);
  return said && textOfUtterances(said.map((each) => ({ ...each, text: oneLine(each.text) })));
}

/** Returns what is said, if JSON has the form. */
function utterancesOf(json: unknown, { list, start, end, text, voice = '', unit = 1, isWords = false }: Form): Utterance[] {
  const members = valuesAt(json, list).flat().filter(isObject);
  const read = members.map((member): Utterance => {
    const at = (path: string) => secondsOf(valuesAt(member, path)[0], unit);
    const [said = '', speaker] = [text, voice].map((path) => toText(valuesAt(member, path)[0]));
    return { start: at(start), end: at(end), voice: speaker || undefined, text: said };
  });
  const isTimed = start === '' || read.some((each) => each.start !== undefined);
  if (!isTimed || read.every((each) => each.text === '')) return [];
  return isWords ? joinWords(read) : read;
}

const toText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const secondsOf = (value: unknown, unit: number) => (typeof value === 'number' ? value * unit : parseClock(toText(value)));

function valuesAt(value: unknown, path: string): unknown[] {
  let values = [value];
  for (const key of path.split('.'))
    values = values.flatMap((each) => {
      if (key === '*') return Array.isArray(each) ? (each as unknown[]) : [];
      return typeof each === 'object' && each !== null && Object.hasOwn(each, key)
        ? [(each as Record<string, unknown>)[key]]
        : [];
    });
  return values;
}

/** Seconds of silence after which another utterance begins, and characters after which one ends with its sentence. */
const [PAUSE, MIN_LENGTH] = [2, 60];

/** Joins words to utterances, each of one speaker. Signs follow a word without a space, and have no times. */
function joinWords(words: readonly Utterance[]): Utterance[] {
  const joined: Utterance[] = [];
  let isSentence = false;
  for (const word of words) {
    const last = joined.at(-1);
    const isOther = word.voice !== undefined && word.voice !== last?.voice;
    const isPaused = (word.start ?? 0) - (last?.end ?? Number.POSITIVE_INFINITY) > PAUSE;
    const isFull = last && last.text.length > MIN_LENGTH && isSentence;
    if (last && word.start === undefined) last.text += word.text;
    else if (!last || isOther || isPaused || isFull) joined.push({ ...word });
    else [last.text, last.end] = [`${last.text} ${word.text}`, word.end];
    if (word.text.trim() !== '') isSentence = /[.?!。？！]\s*$/u.test(word.text);
  }
  return joined;
}
