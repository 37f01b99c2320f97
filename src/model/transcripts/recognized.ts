/** Reads what speech recognizers write as JSON: Whisper and its kin, AWS, Google, Deepgram, AssemblyAI, Azure, Rev. */
import { parseJson } from '../json.ts';
import { isObject } from '../values.ts';
import rows from './recognizers.json' with { type: 'json' };
import { parseClock, type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';
import { oneLine } from './xml-pieces.ts';

/** Where one form of JSON has what was said: paths of keys and indexes, `*` for all members of a list. */
interface Form {
  list: string;
  start: string;
  end: string;
  text: string;
  voice?: string;
  /** Of numbers, in seconds. */
  unit?: number;
  /** Whether each member is a word or a sign. */
  isWords?: boolean;
}
const FORMS: readonly Form[] = rows;

/** Returns what a recognizer heard; undefined if a text is not JSON of a known form. */
export function readRecognized(text: string): TranscriptText | undefined {
  if (!/^\ufeff?\s*[{[]/.test(text)) return undefined;
  const json = parseJson(text.replace(/^\ufeff/, ''));
  for (const form of FORMS) {
    const said = utterancesOf(json, form);
    if (said.length > 0) return textOfUtterances(form.isWords ? joinWords(said) : said);
  }
  return undefined;
}

/** Returns the members of a form's list; none if one has neither a time nor, in a list of words, a word before it. */
function utterancesOf(json: unknown, { list, unit = 1, isWords = false, ...paths }: Form): Utterance[] {
  const seconds = (value: unknown) =>
    typeof value === 'number' ? value * unit : typeof value === 'string' ? parseClock(value) : undefined;
  const members = valuesAt(json, list).flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : [each]));
  const read = members.filter(isObject).map((member): Utterance => {
    const [start, end, text, voice = ''] = [paths.start, paths.end, paths.text, paths.voice ?? ''].map(
      (path) => valuesAt(member, path)[0],
    );
    const said = typeof text === 'string' ? (isWords ? text : oneLine(text)) : '';
    const speaker = typeof voice === 'string' || typeof voice === 'number' ? String(voice) : '';
    return { start: seconds(start), end: seconds(end), voice: speaker || undefined, text: said };
  });
  const isTimed = paths.start === '' || read.some(({ start }) => start !== undefined);
  return isTimed && read.some(({ text }) => text !== '') ? read : [];
}

function valuesAt(value: unknown, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (values, key) =>
      values.flatMap((each) => {
        if (key === '*') return Array.isArray(each) ? (each as unknown[]) : [];
        if (Array.isArray(each)) return [(each as unknown[])[Number(key)]];
        return isObject(each) && Object.hasOwn(each, key) ? [each[key]] : [];
      }),
    [value],
  );
}

/** Seconds of silence after which another utterance begins. */
const PAUSE = 2;
/** Characters after which one ends with its sentence. */
const MIN_LENGTH = 60;

/** Joins words to utterances, each of one speaker. Signs follow a word without a space, and have no times. */
function joinWords(words: readonly Utterance[]): Utterance[] {
  const joined: Utterance[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last && word.start === undefined) last.text += word.text;
    else if (
      !last ||
      (word.voice ?? last.voice) !== last.voice ||
      (word.start ?? 0) - (last.end ?? Number.POSITIVE_INFINITY) > PAUSE ||
      (last.text.length > MIN_LENGTH && /[.?!。？！]$/u.test(last.text.trim()))
    )
      joined.push({ ...word });
    else [last.text, last.end] = [`${last.text} ${word.text}`, word.end];
  }
  return joined.map((each) => ({ ...each, text: oneLine(each.text) }));
}
