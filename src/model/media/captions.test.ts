import { describe, expect, it } from 'vitest';
import { hasCaptions, parseCues } from './captions.ts';

const texts = (vtt: string) => parseCues(vtt).map(({ text }) => text);

it('reads times, voices and plain text', () => {
  const vtt =
    '\ufeffWEBVTT\n\nNOTE not shown\n\n1\n00:00.500 --> 00:02.000\n<v Ada Jetsam>Tide &amp; <i>time</i>\n\n00:02.000 --> 01:00:03.000 align:start\n二行目\nsecond line\n';
  expect(parseCues(vtt)).toEqual([
    { start: 0.5, end: 2, voice: 'Ada Jetsam', text: 'Tide & time' },
    { start: 2, end: 3603, voice: undefined, text: '二行目 second line' },
  ]);
});

describe('SubRip captions', () => {
  const srt = (text: string) => parseCues(text);

  it('have times and text, without numbers, styles and tags', () => {
    const text =
      '\ufeff1\r\n00:00:02,000 --> 00:00:04,500\r\n<i>Tide</i> &amp; time,\r\nsaid Ada: 5 < 6\r\n\r\n2\r\n00:00:05.25 --> 01:00:06,000 X1:40\r\n{\\an8}In\r\n1942\r\n\r\nwe left.\r\n\r\n3\r\n00:00:07,000 --> 00:00:08,000\r\n\r\n';
    expect(srt(text)).toEqual([
      { start: 2, end: 4.5, voice: undefined, text: 'Tide & time, said Ada: 5 < 6' },
      { start: 5.25, end: 3606, voice: undefined, text: 'In 1942 we left.' },
    ]);
  });

  it('may lack the first number', () => expect(srt('00:00:01,000 --> 00:00:02,000\n山の灯\n')[0]?.text).toBe('山の灯'));

  it.each(['', 'The time was 00:00:02,000 --> 00:00:04,500', '1\n2\n3', '00:00:02,000 and on', '1942\nwas a year'])(
    '%j has none',
    (text) => expect([hasCaptions(text), srt(text)]).toEqual([false, []]),
  );

  it('take little time', () => {
    const times = '00:00:02,000 --> 00:00:04,500';
    const start = process.cpuUsage();
    for (const filling of ['<', '{\\', '\n', '1\n', `${times}\n`, ' ', '&x;', '<b>', '1 '])
      srt(`1\n${times}\n${filling.repeat(3_000_000 / filling.length)}`);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5_000);
  });
});

describe('captions of speech recognizers', () => {
  it('say once what rolls up', () => {
    const vtt =
      'WEBVTT\n\n00:00.000 --> 00:02.000\n \nwe left<00:00:00.500><c> the harbor</c><00:00:01.000><c> early</c>\n\n' +
      '00:02.000 --> 00:02.010\nwe left the harbor early\n\n' +
      '00:02.010 --> 00:04.000\nwe left the harbor early\nand the fog<00:00:03.000><c> came in</c>\n';
    expect(parseCues(vtt).map(({ start, end, text }) => [start, end, text])).toEqual([
      [0, 2.01, 'we left the harbor early'],
      [2.01, 4, 'and the fog came in'],
    ]);
  });

  it('keep what is said twice', () =>
    expect(texts('WEBVTT\n\n00:00.000 --> 00:02.000\nrow row row\n\n00:02.000 --> 00:04.000\nrow row row')).toEqual([
      'row row row',
      'row row row',
    ]));

  it.each([
    ['of two words', ['Yes sir', 'Yes sir\nI was there', 'I was there\nuntil then'], ['Yes sir', 'I was there', 'until then']],
    ['of Japanese', ['山の灯', '山の灯\nそれから', 'それから\n海へ'], ['山の灯', 'それから', '海へ']],
    ['that grow', ['WE', 'WE WENT', 'WE WENT HOME', 'WE WENT HOME\nTHAT DAY'], ['WE', 'WENT', 'HOME', 'THAT DAY']],
  ])('say once lines %s', (_, said, expected) => {
    const cues = said.map(
      (text, i) =>
        `00:0${i}.010 --> 00:0${i + 1}.000\n${text}\n\n00:0${i + 1}.000 --> 00:0${i + 1}.010\n${text.split('\n').at(-1)}\n`,
    );
    expect(texts(`WEBVTT\n\n${cues.join('\n')}`)).toEqual(expected);
    expect(texts(cues.join('\n'))).toEqual(expected);
  });

  it('may have decimal commas', () => expect(parseCues('WEBVTT\n\n00:00:01,500 --> 00:00:02,000\nhello')[0]?.start).toBe(1.5));
});

describe('captions by hand', () => {
  const start = (line: string) => parseCues(`WEBVTT\n\n${line}\nHello\n`).map((cue) => [cue.start, cue.end, cue.text]);
  it.each([
    ['00:00:03,5 --> 00:00:04,25', 3.5, 4.25],
    ['00:00:03 --> 0:00:04', 3, 4],
    ['00:03.50 -> 00:65.0', 3.5, 65],
    ['00:00:03:500 --> 00:00:04, 000 align:start position:0%', 3.5, 4],
    ['0:00:03.000,0:00:04.500', 3, 4.5],
  ])('may have the times %s', (line, from, to) => {
    expect(start(line)).toEqual([[from, to, 'Hello']]);
    expect(parseCues(`1\n${line}\nHello\n`)).toMatchObject([{ start: from, end: to, text: 'Hello' }]);
    expect(hasCaptions(`\n1\n${line}\nHello\n`)).toBe(true);
  });

  it('have each voice as a caption of its own, signs as they are, and no blocks that are not shown', () => {
    const vtt =
      'WEBVTT - of Ada\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\nNOTE 00:00.000 --> 00:01.000\nnot shown\n\nintro\n00:01.000 --> 00:02.000\n' +
      '<v.loud Ada>Hello</v> <v Bo & Co>5 < 6, <c.red>yes</c> <lang ja>日本</lang> <inaudible>';
    expect(parseCues(vtt)).toEqual([
      { start: 1, end: 2, voice: 'Ada', text: 'Hello' },
      { start: 1, end: 2, voice: 'Bo & Co', text: '5 < 6, yes 日本 <inaudible>' },
    ]);
  });
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
  ])('parses %s in time', (_, vtt, expected) => {
    const start = process.cpuUsage();
    expect(texts(vtt)).toEqual(expected);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1500);
  });
});
