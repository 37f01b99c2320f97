import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { sniffType } from '../media/sniff.ts';
import { readDocx } from './docx.ts';
import { isTextType, readTranscript } from './read-transcript.ts';

/** Returns the type that is detected of a file, and what it says: times, voices and words of each text. */
async function read(file: string) {
  const type = (await sniffType(Buffer.from(file)))?.mimetype ?? '';
  const texts = isTextType(type) ? readTranscript(file, type) : [];
  return {
    type,
    texts: texts.map(({ kind, cues, text }) =>
      cues.length > 0 ? [kind, ...cues.map((cue) => [cue.start, cue.end, cue.voice, cue.text])] : [kind, text],
    ),
  };
}

describe('XML of another kind', () => {
  it('has a paragraph for each element with text, as Transcriber writes them', async () => {
    const turn = '<Turn speaker="a"><Sync time="0"/>On the <b>quay</b><Sync time="2"/>in March</Turn>\n<Turn>Yes &amp; no</Turn>';
    const xml = (dtd: string) => `<?xml version="1.0"?>${dtd}<Trans><Topic id="x"/>${turn}</Trans>`;
    const type = 'application/xml';
    expect(await read(xml(''))).toEqual({ type, texts: [[undefined, 'On the quay in March\n\nYes & no']] });
    expect(await read(xml('<!DOCTYPE Trans SYSTEM "trans-14.dtd">'))).toEqual(await read(xml('')));
    expect((await read('<?xml version="1.0"?><a><v>Cut off')).texts).toEqual([[undefined, 'Cut off']]);
  });

  it('has the annotations of ELAN, without its header and its vocabularies', async () => {
    const annotation = (n: number, words: string) =>
      `<ANNOTATION>
            <ALIGNABLE_ANNOTATION ANNOTATION_ID="a${n}" TIME_SLOT_REF1="ts${n}" TIME_SLOT_REF2="ts${n + 1}">
                <ANNOTATION_VALUE>${words}</ANNOTATION_VALUE>
            </ALIGNABLE_ANNOTATION>
        </ANNOTATION>`;
    const eaf = `<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2020-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
    <LICENSE LICENSE_URL=""/>
    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
        <MEDIA_DESCRIPTOR MEDIA_URL="file:///interview.wav" MIME_TYPE="audio/x-wav" RELATIVE_MEDIA_URL="./interview.wav"/>
        <PROPERTY NAME="URN">urn:nl-mpi-tools-elan-eaf:6c1b</PROPERTY>
        <PROPERTY NAME="lastUsedAnnotationId">12</PROPERTY>
    </HEADER>
    <TIME_ORDER>
        <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="0"/>
        <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="1500"/>
        <TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="3000"/>
    </TIME_ORDER>
    <TIER LINGUISTIC_TYPE_REF="default-lt" PARTICIPANT="Ada" TIER_ID="Ada">
        ${annotation(1, 'Hello')}
        ${annotation(2, 'In fog &amp; rain.')}
    </TIER>
    <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
    <LANGUAGE LANG_DEF="http://cdb.iso.org/lg/CDB-00130975-001" LANG_ID="und" LANG_LABEL="undetermined (und)"/>
    <CONTROLLED_VOCABULARY CV_ID="parts">
        <DESCRIPTION LANG_REF="und">Parts of speech</DESCRIPTION>
        <CV_ENTRY_ML CVE_ID="c1"><CVE_VALUE DESCRIPTION="" LANG_REF="und">noun</CVE_VALUE></CV_ENTRY_ML>
    </CONTROLLED_VOCABULARY>
</ANNOTATION_DOCUMENT>`;
    expect(await read(eaf)).toEqual({ type: 'application/xml', texts: [[undefined, 'Hello\n\nIn fog & rain.']] });
  });

  it('keeps words whole that have elements in them, and has no text of programs, styles and metadata', async () => {
    const parts = [
      '<meta:metadata><owner>Demo</owner></meta:metadata><style>p{}</style><script>alert(1)</script>',
      '<p><hi>T</hi>he <b>quay</b>, <i>x</i>.<style>i{}</style></p>',
      '<div><p>One<br/>two</p>\n<p><b>Three</b></p></div>',
    ];
    const { texts } = await read(`<?xml version="1.0"?><doc>${parts.join('')}</doc>`);
    expect(texts).toEqual([[undefined, 'The quay, x.\n\nOne two\n\nThree']]);
  });
});

describe('TEI', () => {
  const tei = (header: string, body: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand --><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Interview</title></titleStmt></fileDesc>${header}</teiHeader><text><body>${body}</body></text></TEI>`;

  it('has the words of the speakers, with their names', async () => {
    const people = '<person xml:id="A"><persName>Ada Jetsam</persName></person>';
    const body =
      '<u who="#A">Where were you <vocal><desc>laughs</desc></vocal> born?</u><u who="#B">In the<pb n="2"/>loft<note>sic</note>.</u>';
    expect(await read(tei(people, body))).toEqual({
      type: 'application/tei+xml',
      texts: [[undefined, 'Ada Jetsam: Where were you [laughs] born?\n\nB: In the loft.']],
    });
  });

  it('has speakers of a dialogue, paragraphs and words that are elements of their own', async () => {
    const body =
      '<head>First tape</head><sp><speaker>Q.</speaker><p>When?</p></sp><p>A <hi>long</hi> pause.</p><u><w>I</w><w>left</w><pc>.</pc></u>';
    expect((await read(tei('', body))).texts).toEqual([[undefined, 'First tape\n\nQ.: When?\n\nA long pause.\n\nI left.']]);
  });

  it('has times if all utterances point to the timeline', async () => {
    const timeline =
      '<timeline origin="#T0"><when xml:id="T0"/><when xml:id="T1" interval="2.5" since="#T0"/><when xml:id="T2" interval="4s" since="#T1"/></timeline>';
    const body = `${timeline}<u who="#A" start="#T0" end="#T1">Yes.</u><u who="#B" start="#T1" end="#T2">No.</u>`;
    expect((await read(tei('', body))).texts).toEqual([[undefined, [0, 2.5, 'A', 'Yes.'], [2.5, 6.5, 'B', 'No.']]]);
  });
});

describe('TTML', () => {
  it('has times in all forms, relative to what contains them, and voices', async () => {
    const ttml = `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25">
      <head><metadata><ttm:agent xml:id="a" type="person"><ttm:name>Ada Jetsam</ttm:name></ttm:agent></metadata></head>
      <body begin="10s"><div><p begin="00:00:01.500" end="00:00:03.000" ttm:agent="a">The boats<br/>came in</p>
      <p begin="4s" dur="500ms">by <span tts:fontStyle="italic">sound</span>.</p><p begin="00:00:06:05" end="00:00:07:00">One</p>
      <p><span begin="8s" end="9s">Two</span></p></div></body></tt>`;
    expect(await read(ttml)).toEqual({
      type: 'application/ttml+xml',
      texts: [
        [
          undefined,
          [11.5, 13, 'Ada Jetsam', 'The boats came in'],
          [14, 14.5, undefined, 'by sound.'],
          [16.2, 17, undefined, 'One'],
          [18, 19, undefined, 'Two'],
        ],
      ],
    });
  });
});

describe('OHMS', () => {
  const ohms = (content: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><ROOT xmlns="https://www.weareavp.com/nunncenter/ohms"><record id="1">${content}</record></ROOT>`;

  it('has a transcript with times, its translation, and an index in both languages', async () => {
    const point =
      '<point><time>75</time><title>The fog</title><title_alt>霧</title_alt><synopsis>How boats came in.</synopsis><keywords>Fog;Bells</keywords></point>';
    const file = ohms(
      `<title>Interview</title><sync>1:|2(1)</sync><index>${point}</index><transcript>Transcript:\nQ: When?[[footnote]]1[[/footnote]]\nLATER: In fog.\n[[footnotes]]\n[[note]]A note[[/note]]</transcript><transcript_alt>いつ？</transcript_alt>`,
    );
    expect(await read(file)).toEqual({
      type: 'application/x-ohms+xml',
      texts: [
        [undefined, [0, 60, undefined, 'Q: When? LATER: In fog.']],
        ['translation', 'いつ？'],
        ['index', [75, 85, 'The fog', 'How boats came in. · Fog; Bells']],
        ['index', [75, 85, undefined, '霧']],
      ],
    });
  });

  it('may have captions instead of synchronized lines', async () =>
    expect(
      (await read(ohms('<vtt_transcript>WEBVTT\n\n00:01.000 --&gt; 00:02.000\n&lt;v Ada&gt;Yes</vtt_transcript>'))).texts,
    ).toEqual([[undefined, [1, 2, 'Ada', 'Yes']]]));
});

describe('JSON of speech recognizers', () => {
  it.each([
    [
      'Whisper',
      '{"text": " Yes. No.", "segments": [{"id": 0, "start": 0.0, "end": 1.5, "text": " Yes."}, {"start": 1.5, "end": 2, "text": " No."}]}',
    ],
    [
      'whisper.cpp',
      '{"systeminfo": "x", "transcription": [{"offsets": {"from": 0, "to": 1500}, "text": " Yes."}, {"offsets": {"from": 1500, "to": 2000}, "text": " No."}]}',
    ],
  ])('of %s has times', async (_, json) =>
    expect((await read(json)).texts).toEqual([[undefined, [0, 1.5, undefined, 'Yes.'], [1.5, 2, undefined, 'No.']]]),
  );
});

describe('plain text', () => {
  it('may have times in brackets, before or after the speaker', async () =>
    expect((await read('[00:00:01] ADA: Yes.\nIndeed.\nBRAM [00:01:05]: No.\n\n[1:02:03.5] Well.')).texts).toEqual([
      [undefined, [1, 65, 'ADA', 'Yes. Indeed.'], [65, 3723.5, 'BRAM', 'No.'], [3723.5, 3733.5, undefined, 'Well.']],
    ]));

  it.each([
    'We left (10:30) that day.\n[10:31] Then',
    'Notes\n[00:01] a\n[00:02] b\n[00:03] c',
    '[00:03] a\n[00:02] b\n[00:01] c',
  ])('has no times in %j', async (text) => expect((await read(text)).texts).toEqual([[undefined, text]]));
});

describe('Word documents', () => {
  const docx = (body: string) =>
    zipSync({ 'word/document.xml': strToU8(`<w:document xmlns:w="x"><w:body>${body}</w:body></w:document>`) });

  it('have paragraphs, without what was deleted', () => {
    const body =
      '<w:p><w:r><w:t>Q:</w:t><w:tab/><w:t xml:space="preserve">When </w:t></w:r><w:del><w:r><w:delText>not</w:delText></w:r></w:del><w:r><w:t>born?</w:t></w:r></w:p><w:p><w:r><w:t>In fog.</w:t></w:r></w:p>';
    expect(readDocx(docx(body))).toBe('Q: When born?\n\nIn fog.');
  });

  it('that are damaged have no text', () => expect(readDocx(docx('<w:p/>').subarray(0, 60))).toBe(''));
});

it('reads hostile markup in little time', async () => {
  const start = process.cpuUsage();
  const inputs = ['<a>', '<u>', '<!--', '<![CDATA[', '&x;', '[00:01] ', '<u who="', '<?x'];
  for (const [before, filling] of ['<TEI>', '<tt>', '<ROOT xmlns="ohms"><record>', ''].flatMap((before) =>
    inputs.map((filling) => [before, filling] as const),
  ))
    await read(before + filling.repeat(1_000_000 / filling.length));
  await read(`<TEI><teiHeader><person xml:id="A">${'<note>x</note>'.repeat(100_000)}</person></teiHeader></TEI>`);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
});

it('reads the ISO form of spoken texts: speakers and times of blocks, names of persons, and what was corrected', () => {
  const person = '<person xml:id="A"><persName>Ada Jetsam</persName><birth>1920</birth></person>';
  const times = ['1', '3'].map((interval) => `<when xml:id="T${interval}" interval="${interval}" since="#T0"/>`);
  const block =
    '<annotationBlock who="#A" start="#T1" end="#T3"><u><seg>The <choice><sic>fgo</sic><corr>fog</corr></choice>.</seg></u><spanGrp><span>lemma</span></spanGrp></annotationBlock>';
  const tei = `<TEI><teiHeader>${person}</teiHeader><text><timeline><when xml:id="T0"/>${times.join('')}</timeline><body>${block}</body></text></TEI>`;
  expect(readTranscript(tei, 'application/tei+xml')[0]?.cues).toEqual([
    { start: 1, end: 3, voice: 'Ada Jetsam', text: 'The fog.' },
  ]);
});

it('reads SubRip with the ends of lines of old Macintoshes', () => {
  const srt = '\ufeff1\r00:00:01,000 --> 00:00:02,500\rHello\r\r2\r00:00:03,000 --> 00:00:04,000\rBye\r';
  expect(readTranscript(srt, 'text/plain')[0]?.cues.map(({ start, text }) => [start, text])).toEqual([
    [1, 'Hello'],
    [3, 'Bye'],
  ]);
});

it('leaves out the point of an index whose time is none, and counts it', () => {
  const points = ['75', 'later', '1:30'].map((time) => `<point><time>${time}</time><title>At ${time}</title></point>`);
  const ohms = `<ROOT xmlns="ohms"><record><index>${points.join('')}</index></record></ROOT>`;
  const [index, ...others] = readTranscript(ohms, 'application/x-ohms+xml');
  expect([index?.cues.map(({ start, text }) => [start, text]), index?.untimed, others]).toEqual([
    [
      [75, 'At 75'],
      [90, 'At 1:30'],
    ],
    1,
    [],
  ]);
});

it('names a speaker at the beginning of each turn, also if a file names the speaker of every caption', async () => {
  const cue = (at: number, voice: string, words: string) =>
    `00:0${at}.000 --> 00:0${at + 1}.000\n${voice && `<v ${voice}>`}${words}\n`;
  const file = [
    'WEBVTT\n',
    cue(1, 'Ann', 'One.'),
    cue(2, 'Ann', 'Two.'),
    cue(3, 'Ben', 'Three.'),
    cue(4, '', 'Four.'),
    cue(5, 'Ben', 'Five.'),
    cue(6, 'Ann', 'Six.'),
  ];
  const { texts } = await read(file.join('\n'));
  expect(texts[0]?.slice(1).map((cue) => cue?.[2])).toEqual(['Ann', undefined, 'Ben', undefined, undefined, 'Ann']);
});
