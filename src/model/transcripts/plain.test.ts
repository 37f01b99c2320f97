import { describe, expect, it } from 'vitest';
import { sniffType } from '../media/sniff.ts';
import { readTranscript } from './read-transcript.ts';

/** Returns what a file says: the times, voices and words of each of its texts. */
async function read(file: string) {
  const type = (await sniffType(Buffer.from(file)))?.mimetype ?? '';
  return readTranscript(file, type).map(({ cues, text }) =>
    cues.length > 0 ? cues.map((cue) => [cue.start, cue.end, cue.voice, cue.text]) : text,
  );
}

const TURNS = [
  [1, 5, 'ADA', 'Hi'],
  [5, 65, 'BOB', 'Ho'],
  [65, 75, 'ADA', 'Hey'],
];
const SPOKEN = TURNS.map(([start, end, , words]) => [start, end, undefined, words]);

describe('plain text with times', () => {
  it.each([
    ['full-width brackets', '［00:00:01］ADA：Hi\n［00:00:05］BOB：Ho\n【00:01:05】ADA：Hey', TURNS],
    ['frames', '[00:00:01:12] ADA: Hi\n[00:00:05;00] BOB: Ho\n[00:01:05:24] ADA: Hey', TURNS],
    ['hours without brackets', '00:00:01 ADA: Hi\n00:00:05 BOB: Ho\n00:01:05 ADA: Hey', TURNS],
    ['times after the names', 'ADA  0:01\nHi\n\nBOB  0:05\nHo\n\nADA  1:05\nHey', TURNS],
    ['ends', '[00:01 - 00:05] ADA: Hi\n[00:05 - 01:05] BOB: Ho\n[01:05 - 01:15] ADA: Hey', TURNS],
    [
      'ends as Whisper prints them',
      '[00:01.000 --> 00:05.000]  Hi\n[00:05.000 --> 01:05.000]  Ho\n[01:05.000 --> 01:15.000]  Hey',
      SPOKEN,
    ],
    ['times alone', '00:00:01\nHi\n\n00:00:05\nHo\n\n00:01:05\nHey', SPOKEN],
    ['lyrics', '[ti:Song]\n[ar:Ada]\n[00:01.00]Hi\n[00:05.00]Ho\n[01:05.00]Hey\n[02:00.00]', SPOKEN],
    [
      'a title',
      'Interview\nof 1999\n\n[00:00:01] Hi\n[00:00:05] Ho\n[00:01:05] Hey',
      [[0, 1, undefined, 'Interview of 1999'], ...SPOKEN],
    ],
    [
      'two times with hours',
      '[00:00:01] Hi\n[00:00:05] Ho',
      [
        [1, 5, undefined, 'Hi'],
        [5, 15, undefined, 'Ho'],
      ],
    ],
  ])('may have %s', async (_, text, expected) => expect(await read(text)).toEqual([expected]));

  it.each([
    'Arrival 09:00\nLunch 12:00\nDeparture 17:00',
    '09:00 Arrival\n12:00 Lunch\n17:00 Departure',
    `${'A long account. '.repeat(200)}\n\n[00:00:01] Hi\n[00:00:05] Ho\n`,
  ])('is not %j', async (text) => expect(await read(text)).toEqual([text]));

  it('may be captions of YouTube, or WebVTT after empty lines', async () => {
    expect(await read('0:00:01.000,0:00:05.000\nHi\n\n0:00:05.000,0:01:05.000\nHo\n')).toEqual([SPOKEN.slice(0, 2)]);
    expect(await read('\n\nWEBVTT\n\n00:01.000 --> 00:05.000\nHi\n')).toEqual([SPOKEN.slice(0, 1)]);
  });
});

it('reads HTML with times as captions, and others as they are', async () => {
  const html =
    '<!doctype html><title>A</title><p><b>ADA</b> [00:00:01] Hi</p><p>BOB [00:00:05]<br>Ho</p><li>ADA [00:01:05] Hey</li>';
  expect(await read(html)).toEqual([[[0, 1, undefined, 'A'], ...TURNS]].map((cues) => cues.filter(([, , voice]) => voice)));
  const other = '<!doctype html><p>At (10:30) we left, and at (10:40) we came.</p>';
  expect(await read(other)).toEqual([other]);
});

describe('JSON of a speech recognizer', () => {
  const word = (content: string, start?: string, end?: string) => ({
    ...(start === undefined ? { type: 'punctuation' } : { start_time: start, end_time: end, speaker_label: 'spk_0' }),
    alternatives: [{ confidence: '0.9', content }],
  });
  const items = [word('Hi', '1.0', '1.4'), word('Ada', '1.5', '2'), word('.'), word('Bye', '9', '9.5'), word('.')];
  const words = [
    ['Hi', 1, 1.4],
    ['Ada.', 1.5, 2],
    ['Bye.', 9, 9.5],
  ] as const;
  const said = [
    [1, 2, undefined, 'Hi Ada.'],
    [9, 9.5, undefined, 'Bye.'],
  ];
  const voiced = (voice: string) => said.map(([start, end, , text], i) => [start, end, i === 0 ? voice : undefined, text]);
  const utterances = (unit: number, text: string) =>
    said.map(([start, end, , words]) => ({ start: +(start ?? 0) * unit, end: +(end ?? 0) * unit, [text]: words, speaker: 'A' }));
  it.each([
    ['AWS', { results: { transcripts: [{ transcript: 'Hi Ada. Bye.' }], items } }, voiced('spk_0')],
    [
      'Google',
      {
        results: [
          {
            alternatives: [
              {
                transcript: 'x',
                words: words.map(([word, start, end]) => ({ word, startTime: `${start}s`, endTime: `${end}s` })),
              },
            ],
          },
        ],
      },
      said,
    ],
    [
      'Deepgram',
      {
        results: {
          channels: [
            {
              alternatives: [
                { words: words.map(([word, start, end]) => ({ word: word.toLowerCase(), punctuated_word: word, start, end })) },
              ],
            },
          ],
        },
      },
      said,
    ],
    ['AssemblyAI', { text: 'x', words: [], utterances: utterances(1000, 'text') }, voiced('A')],
    [
      'Azure',
      { recognizedPhrases: said.map(([start, , , display]) => ({ offsetInTicks: Number(start) * 1e7, nBest: [{ display }] })) },
      [
        [1, 9, undefined, 'Hi Ada.'],
        [9, 19, undefined, 'Bye.'],
      ],
    ],
    ['Whisper without its frame', utterances(1, 'text'), voiced('A')],
    [
      'Whisper of Hugging Face',
      { text: 'x', chunks: said.map(([start, end, , text]) => ({ timestamp: [start, end], text })) },
      said,
    ],
    [
      'whisper.cpp',
      { transcription: [{ timestamps: { from: '00:00:01,000', to: '00:00:02,000' }, text: ' Hi Ada.' }] },
      said.slice(0, 1),
    ],
  ])('may be that of %s', async (_, json, expected) => expect(await read(JSON.stringify(json))).toEqual([expected]));

  it('is text if its form is not known', async () => expect(await read('{"a": [1]}')).toEqual(['{"a": [1]}']));
});

it('joins the words of a recognizer in time, though no sentence ends', async () => {
  const items = Array.from({ length: 100_000 }, (_, i) => ({
    start_time: i,
    end_time: i + 1,
    alternatives: [{ content: 'word' }],
  }));
  const start = performance.now();
  expect((await read(JSON.stringify({ results: { items } })))[0]).toHaveLength(1);
  expect(performance.now() - start).toBeLessThan(10_000);
}, 20_000);
