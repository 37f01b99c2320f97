import fc from 'fast-check';
import { expect, it } from 'vitest';
import webvtt from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import { type Cue, parseCues } from '../media/captions.ts';
import { toOneLine } from '../text/legible.ts';
import { INDEX_LANGUAGES, type IndexPoint, indexText, POINT_FIELDS, type RecordingIndex } from './index-points.ts';
import { readTranscript } from './read-transcript.ts';
import { formatOhms, formatVtt } from './write-transcript.ts';

const OHMS = 'application/x-ohms+xml';
const indexOf = (file: string, type: string) => readTranscript(file, type).find(({ index }) => index)?.index;

/** An OHMS file as the program writes them, with all fields of a point in two languages. */
const FILE = `<?xml version="1.0" encoding="UTF-8"?>
<ROOT xmlns="https://www.weareavp.com/nunncenter/ohms"><record id="1"><language>English</language><transcript_alt_lang>Japanese</transcript_alt_lang>
<index><point><time>75</time><title>The fog &amp; the bells</title><title_alt>霧と鐘</title_alt><partial_transcript>We came in &lt;slowly&gt;.</partial_transcript>
<partial_transcript_alt>ゆっくり。</partial_transcript_alt><synopsis>How boats came in.</synopsis><synopsis_alt>船の話。</synopsis_alt><keywords>Fog;Bells</keywords>
<keywords_alt>霧;鐘</keywords_alt><subjects>Harbors</subjects><subjects_alt>港</subjects_alt>
<gpspoints><gps>44.65, -63.57</gps><gps_zoom>12</gps_zoom><gps_text>The quay</gps_text><gps_text_alt>埠頭</gps_text_alt></gpspoints>
<gpspoints><gps></gps><gps_text>The sea</gps_text></gpspoints>
<hyperlinks><hyperlink>https://example.org/?a=1&amp;b=2</hyperlink><hyperlink_text>A chart</hyperlink_text><hyperlink_text_alt>海図</hyperlink_text_alt></hyperlinks>
<hyperlinks><hyperlink>https://example.org/two</hyperlink></hyperlinks></point><point><time>130</time><title>Home</title></point></index></record></ROOT>`;

it('writes an index as OHMS XML from which the same points are read', () => {
  const index = indexOf(FILE, OHMS);
  expect(index).toMatchObject({
    language: 'English',
    translation: 'Japanese',
    points: [{ start: 75, end: 130 }, { start: 130 }],
  });
  const [first] = index?.points ?? [];
  expect(first?.places.map(({ gps, gps_text }) => [gps, gps_text])).toEqual([
    ['44.65, -63.57', 'The quay'],
    [undefined, 'The sea'],
  ]);
  expect(first?.links.map(({ hyperlink }) => hyperlink)).toEqual(['https://example.org/?a=1&b=2', 'https://example.org/two']);
  const written = formatOhms(index as RecordingIndex);
  expect(readTranscript(written, OHMS)).toEqual(readTranscript(FILE, OHMS));
});

it('takes the place and the link that an older file has among the fields of a point', () => {
  const point =
    '<point><time>5</time><title>Fog</title><gps>44.6, -63.5</gps><gps_text>Quay</gps_text><hyperlink>http://example.org/</hyperlink></point>';
  const [read] = indexOf(`<ROOT xmlns="ohms"><record><index>${point}</index></record></ROOT>`, OHMS)?.points ?? [];
  expect([read?.places[0]?.['gps'], read?.places[0]?.['gps_text'], read?.links[0]?.['hyperlink']]).toEqual([
    '44.6, -63.5',
    'Quay',
    'http://example.org/',
  ]);
});

it('names the speaker of each caption in WebVTT, from which the same captions are read', () => {
  const said = ['A', 'A', 'B', 'B', 'A'].map((who, i) => `<p begin="${i}s" end="${i + 1}s" ttm:agent="${who}">Number ${i}.</p>`);
  const agents = ['A', 'B'].map((id) => `<ttm:agent xml:id="${id}"><ttm:name>${id}nn</ttm:name></ttm:agent>`);
  const ttml = `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"><head><metadata>${agents.join('')}</metadata></head><body><div>${said.join('')}</div></body></tt>`;
  const [read] = readTranscript(ttml, 'application/ttml+xml');
  const vtt = formatVtt(read?.cues ?? [], undefined);
  expect(vtt.match(/<v \w+>/g)).toEqual(['<v Ann>', '<v Ann>', '<v Bnn>', '<v Bnn>', '<v Ann>']);
  expect(readTranscript(vtt, 'text/vtt')[0]?.cues).toEqual(read?.cues);
});

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...'<&>;"\n\r'),
  fc.constantFrom('-->', ']]>', '<!--', '&amp;'),
);
const texts = fc.array(text, { maxLength: 4 }).map((parts) => parts.join(''));
const fieldsOf = (names: readonly string[]) =>
  fc.record(Object.fromEntries(names.flatMap((name) => INDEX_LANGUAGES.map((suffix) => [`${name}${suffix}`, texts]))));
const point = fc.record({
  start: fc.double({ min: 0, max: 400_000, noNaN: true }),
  fields: fieldsOf(POINT_FIELDS).map((fields) => ({ ...fields, title: `Title ${fields['title']}` })),
  places: fc.array(fieldsOf(['gps', 'gps_text']), { maxLength: 3 }),
  links: fc.array(fieldsOf(['hyperlink', 'hyperlink_text']), { maxLength: 3 }),
});

/** Returns what a point says, and nothing of how it is written. */
function meaningOf({ start, fields, places, links }: Omit<IndexPoint, 'end'>) {
  const of = (each: IndexPoint['fields'], names: readonly string[]) =>
    names.flatMap((name) => INDEX_LANGUAGES.map((suffix) => indexText(each, name, suffix)));
  return [
    start,
    of(fields, POINT_FIELDS),
    places.map((place) => [toOneLine(place['gps'] ?? ''), ...of(place, ['gps_text'])]),
    links.map((link) => [toOneLine(link['hyperlink'] ?? ''), ...of(link, ['hyperlink_text'])]),
  ];
}

it('writes any index as OHMS XML from which the same points are read', () =>
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 4 }), (points) => {
      const index = { points: points.map((each) => ({ ...each, end: undefined })), language: 'a<b', translation: '' };
      expect(indexOf(formatOhms(index), OHMS)?.points.map(meaningOf)).toEqual(points.map(meaningOf));
    }),
    { numRuns: 150 },
  ));

it('writes the titles of an index in each language as chapters', () => {
  const chapters = readTranscript(FILE, OHMS).map(({ cues, kind }) => formatVtt(cues, kind));
  expect(chapters).toEqual([
    'WEBVTT\nKind: chapters\n\n00:01:15.000 --> 00:02:10.000\nThe fog &amp; the bells\n\n00:02:10.000 --> 00:02:20.000\nHome\n',
    'WEBVTT\nKind: chapters\n\n00:01:15.000 --> 00:01:25.000\n霧と鐘\n',
  ]);
});

it('reads chapters as an index, and writes them again, as OHMS XML too', () => {
  const file = 'WEBVTT\nKind: chapters\n\n00:00:01.000 --> 00:00:09.000\nLa niebla\n\n00:00:10.000 --> 00:00:12.500\nEl muelle\n';
  const [read] = readTranscript(file, 'text/vtt');
  expect(read && formatVtt(read.cues, read.kind)).toBe(file);
  const index = indexOf(file.replace('chapters', 'chapters\nLanguage: es'), 'text/vtt') as RecordingIndex;
  const again = indexOf(formatOhms(index), OHMS);
  expect([again?.language, ...(again?.points.map(({ start, fields }) => [start, fields['title']]) ?? [])]).toEqual([
    'es',
    [1, 'La niebla'],
    [10, 'El muelle'],
  ]);
  expect(readTranscript('WEBVTT\n\n00:01.000 --> 00:02.000\nKind: chapters', 'text/vtt')[0]?.kind).toBeUndefined();
});

it('reads chapters with line ends of Windows, whose titles repeat the last one', () => {
  const titles = ['Life in the camp', 'Life in the camp', 'Life in the camp at Manzanar'];
  const blocks = titles.map((title, i) => `00:0${i}:00.000 --> 00:0${i}:00.500\r\n${title}\r\n`);
  const [read] = readTranscript(['WEBVTT\r\nKind: chapters\r\n', ...blocks].join('\r\n'), 'text/vtt');
  expect(read?.kind).toBe('index');
  expect(read?.index?.points.map(({ fields }) => fields['title'])).toEqual(titles);
});

it('writes captions as WebVTT from which the same captions are read', () => {
  const vtt = `WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada & Bram>Fish &amp; chips &lt;hot&gt;\n\n01:00:02.000 --> 01:00:04.250 align:start\nYes --\n`;
  const cues = parseCues(vtt);
  expect(cues.map(({ voice }) => voice)).toEqual(['Ada & Bram', undefined]);
  expect(parseCues(formatVtt(cues, undefined))).toEqual(cues);
});

/** The parser leaves the names of speakers as they are written. */
const decode = (voice: string) => voice.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

it('writes any captions as WebVTT from which the same captions are read', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 500_000_000 }), fc.integer({ min: 1, max: 60_000 }), texts, texts), {
        maxLength: 5,
      }),
      (all) => {
        const cues = all.map(
          ([start, length, voice, said]): Cue => ({ start: start / 1000, end: (start + length) / 1000, voice, text: said }),
        );
        const { cues: read } = new webvtt.WebVTTParser(entities).parse(formatVtt(cues, undefined), 'subtitles');
        const words = (nodes: (typeof read)[number]['tree']['children']): string =>
          nodes.map((node) => (node.type === 'text' ? node.value : words(node.children ?? []))).join('');
        // A player's order: by their beginnings, the longer one first.
        const spoken = cues.filter((cue) => toOneLine(cue.text) !== '').sort((a, b) => a.start - b.start || b.end - a.end);
        expect(
          read.map(({ startTime, endTime, tree: { children } }) => [
            Math.round(startTime * 1000),
            Math.round(endTime * 1000),
            toOneLine(decode(children.find(({ name }) => name === 'v')?.value ?? '')),
            toOneLine(words(children)),
          ]),
        ).toEqual(
          spoken.map((cue) => [
            Math.round(cue.start * 1000),
            Math.round(cue.end * 1000),
            toOneLine(cue.voice ?? ''),
            toOneLine(cue.text),
          ]),
        );
      },
    ),
    { numRuns: 300 },
  ));
