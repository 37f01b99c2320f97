/** Chooses what is heard on the page of a topic, place or facility: recordings of different narrators, and a passage of each. */
import { findText, foldText } from '../../../formats/search/fold-text.ts';
import type { Cue } from '../../../model/media/captions.ts';

/** A passage: from the beginning of one caption to the end of another, in seconds, with what is said. */
export type Passage = NonNullable<ReturnType<typeof choosePassage>>;

/** Seconds. */
const [MIN_LENGTH, MAX_LENGTH] = [15, 30];
/** Seconds at the beginning of a recording, in which it is introduced. */
const OPENING = 10;
const SENTENCE_END = /[.?!…。？！]["”’»」』)]*$/u;

/**
 * Returns a passage of whole sentences, of 15 to 30 seconds unless the recording has none: rather one with the words, and one
 * after the opening; the first of them. If captions name their speakers, only the narrators speak. Undefined without captions.
 */
export function choosePassage(cues: readonly Cue[], { words, narrators }: { words: string; narrators: readonly string[] }) {
  const timed = cues.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start);
  const turns = findTurns(timed, narrators);
  const hits = findHits(timed, words);
  let [best, bestRank] = [undefined as [first: number, last: number] | undefined, Number.POSITIVE_INFINITY];
  for (const [first, cue] of timed.entries()) {
    const isStart = first === 0 || turns[first] !== turns[first - 1] || SENTENCE_END.test(timed[first - 1]?.text ?? '');
    const last = turns[first] === undefined || !isStart ? undefined : findEnd(timed, turns, first);
    if (last === undefined) continue;
    const isLong = (timed[last] as Cue).end - cue.start >= MIN_LENGTH;
    const hasWords = hits.some((hit) => hit >= first && hit <= last);
    const rank = (isLong ? 0 : 4) + (hasWords ? 0 : 2) + (cue.start >= OPENING ? 0 : 1);
    if (rank < bestRank) [best, bestRank] = [[first, last], rank];
  }
  if (!best) return undefined;
  const chosen = timed.slice(best[0], best[1] + 1);
  const text = chosen.map((cue) => cue.text).join(' ');
  return { start: (chosen[0] as Cue).start, end: (chosen[chosen.length - 1] as Cue).end, text };
}

const MAX_CLIPS = 8;
/** Recordings whose captions are read for one page. */
const MAX_READ = 24;

/**
 * Returns clips of different narrators, in the order of the recordings; none if there is only one narrator. `read` returns the
 * clip of a recording, if it has one.
 */
export function chooseClips<Recording extends { narrators: readonly string[] }, Clip>(
  recordings: Iterable<Recording>,
  read: (recording: Recording) => Clip | undefined,
): Clip[] {
  const clips: Clip[] = [];
  const heard = new Set<string>();
  let readCount = 0;
  for (const recording of recordings) {
    const { narrators } = recording;
    if (narrators.length === 0 || narrators.some((narrator) => heard.has(narrator))) continue;
    const clip = read(recording);
    readCount++;
    if (clip !== undefined) {
      clips.push(clip);
      for (const narrator of narrators) heard.add(narrator);
    }
    if (clips.length === MAX_CLIPS || readCount === MAX_READ) break;
  }
  return clips.length > 1 ? clips : [];
}

/** Returns the position of the last caption of a passage; undefined if its first one is too long. */
function findEnd(cues: readonly Cue[], turns: ReadonlyArray<number | undefined>, first: number): number | undefined {
  const { start } = cues[first] as Cue;
  let last: number | undefined;
  for (let i = first; i < cues.length && turns[i] === turns[first]; i++) {
    const { end, text } = cues[i] as Cue;
    if (end - start > MAX_LENGTH) break;
    last = i;
    if (end - start >= MIN_LENGTH && SENTENCE_END.test(text)) break;
  }
  return last;
}

/** Returns of each caption in which turn of a speaker it is; undefined if someone else than the narrators speaks. */
function findTurns(cues: readonly Cue[], narrators: readonly string[]): Array<number | undefined> {
  const names = narrators.map((name) => foldText(name).folded);
  const isNamed = (voice: string) => {
    const speaker = foldText(voice).folded;
    return names.some((name) => name.includes(speaker) || speaker.includes(name));
  };
  const isKnown = cues.some(({ voice }) => voice !== undefined && isNamed(voice));
  let [turn, isNarrator] = [0, true];
  return cues.map(({ voice }) => {
    if (voice !== undefined) {
      turn++;
      isNarrator = !isKnown || isNamed(voice);
    }
    return isNarrator ? turn : undefined;
  });
}

/** Returns the positions of the captions in which the words begin. */
function findHits(cues: readonly Cue[], words: string): number[] {
  let text = '';
  const starts = cues.map((cue) => {
    const start = text.length;
    text += `${cue.text} `;
    return start;
  });
  return findText(text, words).map(([at]) => starts.findLastIndex((start) => start <= at));
}
