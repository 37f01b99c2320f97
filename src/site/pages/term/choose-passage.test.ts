import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Cue } from '../../../model/media/captions.ts';
import { chooseClips, choosePassage } from './choose-passage.ts';

/** Captions of some seconds each, one after the other. */
const captions = (...lines: Array<[seconds: number, text: string, voice?: string]>): Cue[] => {
  let at = 0;
  return lines.map(([seconds, text, voice]) => {
    at += seconds;
    return { start: at - seconds, end: at, voice, text };
  });
};
const wanted = (words: string, ...narrators: string[]) => ({ words, narrators });

const STORY = captions(
  [6, 'Today is June the second.'],
  [6, 'We are in Tern Hill.'],
  [8, 'My father had a boat,'],
  [9, 'and he took me along.'],
  [8, 'In winter we sewed nets.'],
  [9, 'The fishing began in March,'],
  [9, 'when the ice was gone.'],
);

it('chooses whole sentences in which the words are said, from the beginning of a caption to the end of another', () => {
  expect(choosePassage(STORY, wanted('Fishing'))).toEqual({
    start: 29,
    end: 55,
    text: 'In winter we sewed nets. The fishing began in March, when the ice was gone.',
  });
});

it('otherwise chooses the first sentences after the opening', () => {
  expect(choosePassage(STORY, wanted('schools'))).toEqual({
    start: 12,
    end: 29,
    text: 'My father had a boat, and he took me along.',
  });
});

it('lets only narrators speak, if captions name them', () => {
  const cues = captions(
    [12, 'Tell me about fishing. Take your time.', 'Interviewer'],
    [10, 'It was cold.', 'Leif VANE'],
    [10, 'We went out at four.'],
    [12, 'Was fishing hard?', 'Interviewer'],
  );
  expect(choosePassage(cues, wanted('fishing', 'Leif Vane'))?.text).toBe('It was cold. We went out at four.');
});

it('takes what there is of a short recording, and nothing of one without captions', () => {
  expect(choosePassage(captions([1, 'The whistle went'], [1, 'at five.']), wanted('bells'))).toEqual({
    start: 0,
    end: 2,
    text: 'The whistle went at five.',
  });
  expect(choosePassage([], wanted('bells'))).toBeUndefined();
  expect(choosePassage([{ start: 4, end: 4, voice: undefined, text: 'Nothing.' }], wanted('bells'))).toBeUndefined();
});

it('stays within captions and 30 seconds, of any length, and chooses the same again', () => {
  const time = fc.double({ min: 0, max: 600, noNaN: true });
  const cue = fc.record({
    start: time,
    end: time,
    voice: fc.constantFrom(undefined, 'Leif Vane', 'Interviewer', ''),
    text: fc.constantFrom('The boats.', 'and fishing', '五時に。', 'no one', ''),
  });
  fc.assert(
    fc.property(fc.array(cue, { maxLength: 40 }), (cues) => {
      const passage = choosePassage(cues, wanted('fishing', 'Leif Vane'));
      expect(choosePassage([...cues], wanted('fishing', 'Leif Vane'))).toEqual(passage);
      if (!passage) return;
      expect(cues.some(({ start, end }) => start === passage.start && end > start)).toBe(true);
      expect(cues.some(({ end }) => end === passage.end)).toBe(true);
      expect(passage.end).toBeGreaterThan(passage.start);
      expect(passage.end - passage.start).toBeLessThanOrEqual(30);
    }),
  );
});

it('never chooses two clips of one narrator, nor more than 8, nor reads more than 24 recordings', () => {
  const recording = fc.record({
    id: fc.nat(),
    narrators: fc.array(fc.constantFrom(...'abcdefghijkl'), { maxLength: 2 }),
    hasClip: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(recording, { maxLength: 80 }), (recordings) => {
      const read: unknown[] = [];
      const chosen = chooseClips(recordings, (one) => {
        read.push(one);
        return one.hasClip ? one : undefined;
      });
      const narrators = chosen.flatMap((clip) => [...new Set(clip.narrators)]);
      expect(new Set(narrators).size).toBe(narrators.length);
      expect(chosen.length).not.toBe(1);
      expect(chosen.length).toBeLessThanOrEqual(8);
      expect(read.length).toBeLessThanOrEqual(24);
      expect(chosen).toEqual(recordings.filter((one) => chosen.includes(one)));
      expect(chooseClips(recordings, (one) => (one.hasClip ? one : undefined))).toEqual(chosen);
    }),
  );
});
