import { describe, expect, it } from 'vitest';
import { sniffType } from '../media/sniff.ts';
import { readTranscript } from './read-transcript.ts';

/** Returns what a file in XML says: the times, voices and words of each of its texts. */
async function read(xml: string) {
  const type = (await sniffType(Buffer.from(xml)))?.mimetype ?? '';
  return readTranscript(xml, type).map(({ cues, text }) =>
    cues.length > 0 ? cues.map((cue) => [cue.start, cue.end, cue.voice, cue.text]) : text,
  );
}

describe('TTML', () => {
  const tt = (body: string, attributes = '') => `<tt xmlns="http://www.w3.org/ns/ttml" ${attributes}><body>${body}</body></tt>`;
  const said = (...cues: Array<[number, number, string]>) => [cues.map(([start, end, text]) => [start, end, undefined, text])];

  it.each([
    ['ticks', tt('<p begin="10000000t" end="25000000t">A</p>', 'ttp:tickRate="10000000"'), said([1, 2.5, 'A'])],
    ['parts of frames', tt('<p begin="00:00:01:15.1" end="00:00:02;00">A</p>', 'ttp:frameRate="30"'), said([1.5, 2, 'A'])],
    [
      'what follows one another',
      tt('<div timeContainer="seq"><p dur="2s">A</p><p dur="3s">B</p></div><p begin="9s">C</p>'),
      said([0, 2, 'A'], [2, 5, 'B'], [9, 19, 'C']),
    ],
    [
      'times of blocks',
      tt('<div begin="1s" end="3s"><p>A</p></div><div begin="4s" end="5s"><p>B</p></div>'),
      said([1, 3, 'A'], [4, 5, 'B']),
    ],
    [
      'words with times in a line with times',
      tt('<p begin="1s" end="9s">Hi <span begin="1s">one </span><span begin="2s"><span>two</span></span> tail</p>'),
      said([1, 9, 'Hi one two tail']),
    ],
    [
      'several languages',
      tt('<div xml:lang="en"><p begin="1s" end="2s">Hi</p></div><div xml:lang="ja"><p begin="1s" end="2s">やあ</p></div>'),
      [...said([1, 2, 'Hi']), ...said([1, 2, 'やあ'])],
    ],
  ])('may have %s', async (_, xml, expected) => expect(await read(xml)).toEqual(expected));

  it('are read in time, however many there are', async () => {
    const start = performance.now();
    expect((await read(tt('<p begin="1s" end="2s">A</p>'.repeat(100_000))))[0]).toHaveLength(100_000);
    expect(performance.now() - start).toBeLessThan(10_000);
  }, 20_000);
});

describe('TEI', () => {
  const tei = (body: string, header = '') => `<TEI><teiHeader>${header}</teiHeader><text><body>${body}</body></text></TEI>`;
  const timeline =
    '<timeline unit="ms" origin="#T0"><when xml:id="T2" interval="2500" since="#T1"/><when xml:id="T1" interval="1500" since="#T0"/><when xml:id="T0" absolute="12:20:01"/></timeline>';

  it('may have a timeline in any unit and order, headings without times, and several parts', async () => {
    const parts =
      '<div><head>Tape 1</head><u who="#A" start="#T0" end="#T1">Hi</u></div><div><head>Tape 2</head><u start="#T1" end="#T2">Bye</u></div>';
    expect(await read(tei(timeline + parts))).toEqual([
      [
        [0, 1.5, undefined, 'Tape 1'],
        [0, 1.5, 'A', 'Hi'],
        [1.5, 4, undefined, 'Tape 2'],
        [1.5, 4, undefined, 'Bye'],
      ],
    ]);
  });

  it('may have its times within what is said', async () =>
    expect(await read(tei(`${timeline}<u who="A"><anchor synch="#T0"/>one two<anchor synch="#T1"/>three</u>`))).toEqual([
      [
        [0, 1.5, 'A', 'one two'],
        [1.5, 11.5, undefined, 'three'],
      ],
    ]));

  it('may have several speakers, events between them, letters and tables', async () => {
    const people = '<person xml:id="A"><persName><forename>Ada</forename> <surname>J</surname></persName></person>';
    const body =
      '<u who="#A #B"><seg>Hi there.</seg><seg>Both</seg></u><incident><desc>phone rings</desc></incident><opener><dateline>Oslo</dateline><salute>Dear all</salute></opener><table><row><cell>c1</cell><cell>c2</cell></row></table><p>ha<lb break="no"/>rbor<lb/>side</p><quote>Said</quote>';
    expect(await read(tei(body, people))).toEqual([
      'Ada J, B: Hi there. Both\n\n[phone rings]\n\nOslo Dear all\n\nc1 c2\n\nharbor side\n\nSaid',
    ]);
  });
});

describe('OHMS', () => {
  it('has the intervals of its marks, also where one has none, and no text if it says so', async () => {
    const record = (content: string) => `<ROOT xmlns="ohms"><record>${content}</record></ROOT>`;
    expect(await read(record('<sync>0.5:|1(1)||3(2)</sync><transcript>a\nb\nc\nd</transcript>'))).toEqual([
      [
        [0, 30, undefined, 'a'],
        [30, 90, undefined, 'b c'],
        [90, 120, undefined, 'd'],
      ],
    ]);
    expect(await read(record('<transcript>No transcript.</transcript>'))).toEqual([]);
  });

  it('may lack its namespace', async () =>
    expect(await read('<ROOT><record><transcript>Hi</transcript></record></ROOT>')).toEqual(['Hi']));
});
