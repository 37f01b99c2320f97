import { describe, expect, it } from 'vitest';
import { parseCues } from './captions.ts';

const texts = (vtt: string) => parseCues(vtt).map(({ text }) => text);

it('reads times, voices and plain text', () => {
  const vtt =
    '\ufeffWEBVTT\n\nNOTE not shown\n\n1\n00:00.500 --> 00:02.000\n<v Ada Jetsam>Tide &amp; <i>time</i>\n\n00:02.000 --> 01:00:03.000 align:start\n二行目\nsecond line\n';
  expect(parseCues(vtt)).toEqual([
    { start: 0.5, end: 2, voice: 'Ada Jetsam', text: 'Tide & time' },
    { start: 2, end: 3603, voice: undefined, text: '二行目 second line' },
  ]);
});

describe('malformed captions', () => {
  it.each([
    ['', []],
    ['no captions at all', []],
    ['WEBVTT\n\nsoon --> later\nnever', []],
    ['WEBVTT\n\n00:00.000 --> 00:01.000\n<script>alert(1)</script> &lt;b&gt;', ['alert(1) <b>']],
    ['WEBVTT\n\n00:00.000 --> 00:01.000\na & b &bogus; c', ['a & b &bogus; c']],
  ])('%j has the texts %j', (vtt, expected) => expect(texts(vtt)).toEqual(expected));
});

describe('captions that would slow the parser down', () => {
  const cue = (text: string, times = '00:00.000 --> 00:01.000') =>
    `WEBVTT\n\n${times}\n${text}\n\n00:02.000 --> 00:03.000\nafter`;

  it.each([
    ['10,000 nested tags', cue(`${'<b>'.repeat(10_000)}words`), ['words', 'after']],
    [
      'cues without an empty line between them',
      cue(`${'<b>'.repeat(10_000)}words\n00:01.000 --> 00:01.500\nmore`),
      ['words', 'more', 'after'],
    ],
    ['tags over several lines', cue(`${'<b\n>'.repeat(10_000)}words`), ['words', 'after']],
    ['nested voices', cue(`${'<v A>'.repeat(20_000)}words`), ['words', 'after']],
    ['300,000 unknown escapes', cue('&x;'.repeat(300_000)), ['&x;'.repeat(300_000), 'after']],
    [
      '200,000 settings',
      cue('words', `00:00.000 --> 00:01.000 ${Array.from({ length: 200_000 }, (_, i) => `a${i}:1`).join(' ')}`),
      ['words', 'after'],
    ],
    ['a million brackets', cue('<'.repeat(1_000_000)), ['<'.repeat(1_000_000), 'after']],
  ])('D11: parses %s in time', (_, vtt, expected) => {
    const start = process.cpuUsage();
    expect(texts(vtt)).toEqual(expected);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1500);
  });
});
