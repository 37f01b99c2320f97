import { describe, expect, it } from 'vitest';
import { readCues } from './captions.ts';

const texts = (vtt: string) => readCues(vtt).map(({ text }) => text);

it('reads times, voices and plain text', () => {
  const vtt =
    '\ufeffWEBVTT\n\nNOTE not shown\n\n1\n00:00.500 --> 00:02.000\n<v Ada Jetsam>Tide &amp; <i>time</i>\n\n00:02.000 --> 01:00:03.000 align:start\n二行目\nsecond line\n';
  expect(readCues(vtt)).toEqual([
    { start: 0.5, end: 2, voice: 'Ada Jetsam', text: 'Tide & time' },
    { start: 2, end: 3603, voice: undefined, text: '二行目 second line' },
  ]);
});

describe('what is wrong', () => {
  it.each([
    ['', []],
    ['no captions at all', []],
    ['WEBVTT\n\nsoon --> later\nnever', []],
    ['WEBVTT\n\n00:00.000 --> 00:01.000\n<script>alert(1)</script> &lt;b&gt;', ['alert(1) <b>']],
    ['WEBVTT\n\n00:00.000 --> 00:01.000\na & b &bogus; c', ['a & b &bogus; c']],
  ])('%j gives %j', (vtt, expected) => expect(texts(vtt)).toEqual(expected));
});
